import type { SecretPlace } from '../../../crypto/secret-box.ts';

/** Where an app's secret stands: sealed for it, it opens nowhere else. */
export const totpPlace = (id: string): SecretPlace => ({ table: 'staff_factor', id, field: 'totp_secret' });
