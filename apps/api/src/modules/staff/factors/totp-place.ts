import type { SecretPlace } from '../../../crypto/secret-box.ts';

/** The place that an app's secret is sealed for; it opens nowhere else. */
export const totpPlace = (id: string): SecretPlace => ({ table: 'staff_factor', id, field: 'totp_secret' });
