import type { Queryable } from '../../db/client.ts';
import { paymentMethod } from '../../db/schema/payments.ts';

/** Keeps a card that the provider has approved, in the caller's transaction. The token arrives sealed. */
export async function insertPaymentMethod(
  tx: Queryable,
  card: {
    id: string;
    userId: string;
    chargeId: string;
    sealedToken: string;
    maskedCard: string;
    brand: string;
    expiresMonth: string | null;
  },
): Promise<{ id: string }> {
  const { sealedToken, ...rest } = card;
  const [row] = await tx
    .insert(paymentMethod)
    .values({ ...rest, cardToken: sealedToken })
    .returning({ id: paymentMethod.id });
  if (!row) throw new Error('the card was not stored');
  return row;
}
