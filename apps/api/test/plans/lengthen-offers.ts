import type pg from 'pg';

const ROWS = 5_000;

/**
 * Payments taken over from guests, and waiting offers: Postgres would scan these tables if they were empty. None expires
 * however far the clock is moved.
 */
export async function lengthenOffers(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO adopted_payment (intent_id, user_id, adopted_at, through)
     SELECT p.id, u.id, engine_now(), 'page'
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM payment_intent WHERE state = 'accepted') AS p
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM app_user) AS u USING (n)
      LIMIT ${ROWS}`,
  );
  await client.query(
    `INSERT INTO account_offer (user_id, intent_id, location_id, zip_key, expires_at)
     SELECT a.user_id, a.intent_id, (SELECT min(id) FROM location), '62704', engine_now() + interval '5 years'
       FROM adopted_payment a`,
  );
  await client.query('ANALYZE adopted_payment, account_offer');
}
