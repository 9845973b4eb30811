import type { SecretPlace } from '../../crypto/secret-box.ts';

/** Where a card's token stands: sealed for it, it opens nowhere else. */
export const cardPlace = (id: string): SecretPlace => ({ table: 'payment_method', id, field: 'card_token' });
