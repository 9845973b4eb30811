import { and, eq, gt, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
import { paymentMethod } from '../../db/schema/payments.ts';

const listOfUser = statement((db) =>
  db
    .select({
      id: paymentMethod.id,
      maskedCard: paymentMethod.maskedCard,
      brand: paymentMethod.brand,
      expiresMonth: paymentMethod.expiresMonth,
      cardToken: paymentMethod.cardToken,
      createdAt: paymentMethod.createdAt,
    })
    .from(paymentMethod)
    .where(eq(paymentMethod.userId, sql.placeholder('userId')))
    .orderBy(paymentMethod.createdAt, paymentMethod.id)
    .prepare('list_payment_methods'),
);

/** A user's cards, with sealed tokens. */
export async function selectPaymentMethods(db: Queryable, userId: string) {
  return listOfUser(db).execute({ userId });
}

export type PaymentMethodRow = Awaited<ReturnType<typeof selectPaymentMethods>>[number];

type OwnCard = { userId: string; id: string };

/** Compared as text, because the requested id need not be a UUID. */
const isOwn = ({ userId, id }: OwnCard) =>
  and(eq(paymentMethod.userId, userId), sql`${paymentMethod.id}::text = ${id}`);

/** A card to charge, with its sealed token. */
export async function selectCard(
  db: Queryable,
  own: OwnCard,
): Promise<{ id: string; cardToken: string; expiresMonth: string | null } | undefined> {
  const [row] = await db
    .select({
      id: paymentMethod.id,
      cardToken: paymentMethod.cardToken,
      expiresMonth: paymentMethod.expiresMonth,
    })
    .from(paymentMethod)
    .where(isOwn(own));
  return row;
}

export async function deletePaymentMethod(db: Queryable, own: OwnCard): Promise<boolean> {
  const rows = await db.delete(paymentMethod).where(isOwn(own)).returning({ id: paymentMethod.id });
  return rows.length > 0;
}

/** A page of all cards' sealed tokens, in the order of ids. */
export async function selectCardTokens(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; cardToken: string }[]> {
  return db
    .select({ id: paymentMethod.id, cardToken: paymentMethod.cardToken })
    .from(paymentMethod)
    .where(gt(paymentMethod.id, after))
    .orderBy(paymentMethod.id)
    .limit(limit);
}

export async function replaceCardToken(
  db: Queryable,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(paymentMethod)
    .set({ cardToken: to })
    .where(and(eq(paymentMethod.id, id), eq(paymentMethod.cardToken, from)));
}

/** Stores a card that the provider approved, in the caller's transaction. Expects a sealed token. */
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
