import type { Deps } from '../../src/deps.ts';
import { startSessionOf } from '../../test/factories/users.ts';
import { withClient } from '../rig/bench-database.ts';
import { BENCH_SECRETS } from '../rig/bench-portal.ts';

const FRANCHISE = 90;

export type Headers = Record<string, string>;

/** Adds customers with that many unpaid invoices each, over 40 locations at most. Returns their sessions' headers. */
export async function addCustomers(deps: Deps, sizes: number[]): Promise<Headers[]> {
  const userIds = await withClient(deps.env.DATABASE_URL, async (client) => {
    await client.query(
      `INSERT INTO franchise (id, name, time_zone) VALUES (${FRANCHISE}, 'Measured', 'America/Chicago')`,
    );
    const ids: string[] = [];
    for (const size of sizes) {
      const locations = Math.min(40, Math.ceil(size / 4));
      const { rows } = await client.query<{ id: string }>(
        `WITH customer AS (
           INSERT INTO customer (franchise_id, number, name) VALUES (${FRANCHISE}, $1::integer, 'Measured') RETURNING id),
         location AS (
           INSERT INTO location
             (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
           SELECT ${FRANCHISE}, $1::integer * 100 + n, customer.id, 'Home', n || ' Maple Street', 'Springfield', 'IL', '62704', '62704'
             FROM customer, generate_series(0, $2::integer - 1) AS n RETURNING id, number),
         invoice AS (
           INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                                tax_rate_ppm, due_date, completed_date, tips_enabled)
           SELECT ${FRANCHISE}, $1::integer * 10000 + n, location.id, 'Windows; Gutters', 10825, 825, 82500,
                  date '2026-11-01' + n % 60, '2026-11-03', true
             FROM generate_series(1, $1::integer) AS n JOIN location ON location.number = $1::integer * 100 + n % $2::integer),
         app_user AS (
           INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
           VALUES ('measured' || $1::integer || '@example.com', 'Robin', 'Example', '', now()) RETURNING id),
         user_customer AS (
           INSERT INTO user_customer (user_id, customer_id) SELECT app_user.id, customer.id FROM app_user, customer)
         SELECT id FROM app_user`,
        [size, locations],
      );
      ids.push(...rows.map((row) => row.id));
    }
    return ids;
  });
  return Promise.all(userIds.map((userId) => signInAs(deps, userId)));
}

/** Signs in some owners of the generated books, spread over all of them. */
export async function signInOwners(deps: Deps, count: number): Promise<Headers[]> {
  const { rows } = await deps.db.pool.query<{ id: string }>(
    `SELECT u.id FROM (SELECT gen_random_uuid() AS near FROM generate_series(1, $1) OFFSET 0) AS pick
      CROSS JOIN LATERAL (SELECT id FROM app_user WHERE id >= pick.near ORDER BY id LIMIT 1) AS u`,
    [count],
  );
  return Promise.all(rows.map(({ id }) => signInAs(deps, id)));
}

async function signInAs(deps: Deps, userId: string): Promise<Headers> {
  const { accessToken } = await startSessionOf(deps, { userId });
  return { 'x-apisecret': BENCH_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` };
}

/** The three numbers of some generated invoices, spread over all of them. */
export async function pickThreeNumbers(deps: Deps, count: number): Promise<object[]> {
  const { rows } = await deps.db.pool.query<object>(
    `SELECT i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber", l.zip_code AS "zipCode"
       FROM (SELECT 1 + floor(random() * (SELECT max(id) FROM invoice))::bigint AS id
               FROM generate_series(1, $1)) AS pick
       JOIN invoice i ON i.id = pick.id JOIN location l ON l.id = i.location_id`,
    [count],
  );
  return rows;
}
