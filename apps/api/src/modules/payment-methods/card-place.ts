import type { SecretPlace } from '../../crypto/secret-box.ts';

/** The place that a card's token is sealed for; it opens nowhere else. */
export const cardPlace = (id: string): SecretPlace => ({ table: 'payment_method', id, field: 'card_token' });
