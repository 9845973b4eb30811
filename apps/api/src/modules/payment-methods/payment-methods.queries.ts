import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';

export type PaymentMethodRow = {
  id: string;
  maskedCard: string;
  brand: string;
  expiresMonth: string | null;
  cardToken: string;
  createdAt: Date;
};

/** A user's cards, with sealed tokens. */
export async function selectPaymentMethods(db: Queryable, userId: string): Promise<PaymentMethodRow[]> {
  return query<PaymentMethodRow>(db, { plan: 'once' })`
    SELECT id, masked_card AS "maskedCard", brand, expires_month AS "expiresMonth", card_token AS "cardToken",
           created_at AS "createdAt"
      FROM payment_method WHERE user_id = ${userId} ORDER BY created_at, id`;
}

type OwnCard = { userId: string; id: string };

/** Compared as text, because the requested id need not be a UUID. */
const isOwn = ({ userId, id }: OwnCard): SQL => sql`user_id = ${userId} AND id::text = ${id}`;

/** A card to charge, with its sealed token. */
export async function selectCard(
  db: Queryable,
  own: OwnCard,
): Promise<{ id: string; cardToken: string; expiresMonth: string | null } | undefined> {
  const [row] = await query<{ id: string; cardToken: string; expiresMonth: string | null }>(db)`
    SELECT id, card_token AS "cardToken", expires_month AS "expiresMonth" FROM payment_method WHERE ${isOwn(own)}`;
  return row;
}

/** Whether the card that this payment intent has added is still there. */
export async function hasAddedCard(db: Queryable, intentId: string): Promise<boolean> {
  const rows = await query(db, { plan: 'once' })`
    SELECT 1 FROM charge JOIN payment_method ON payment_method.charge_id = charge.id
     WHERE charge.intent_id = ${intentId}`;
  return rows.length > 0;
}

export async function deletePaymentMethod(db: Queryable, own: OwnCard): Promise<boolean> {
  const rows = await query(db)`DELETE FROM payment_method WHERE ${isOwn(own)} RETURNING id`;
  return rows.length > 0;
}

/** A page of all cards' sealed tokens, in the order of ids. */
export async function selectCardTokens(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; cardToken: string }[]> {
  return query<{ id: string; cardToken: string }>(db)`
    SELECT id, card_token AS "cardToken" FROM payment_method WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
}

export async function replaceCardToken(
  db: Queryable,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await query(db)`UPDATE payment_method SET card_token = ${to} WHERE id = ${id} AND card_token = ${from}`;
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
  const [row] = await query<{ id: string }>(tx)`
    INSERT INTO payment_method (id, user_id, charge_id, card_token, masked_card, brand, expires_month)
    VALUES (${card.id}, ${card.userId}, ${card.chargeId}, ${card.sealedToken}, ${card.maskedCard}, ${card.brand},
            ${card.expiresMonth})
    RETURNING id`;
  if (!row) throw new Error('the card was not stored');
  return row;
}
