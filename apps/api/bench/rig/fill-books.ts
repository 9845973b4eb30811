import type pg from 'pg';
import { hashPassword } from '../../src/modules/auth/passwords/password-hash.ts';
import { withClient } from './bench-database.ts';
import { BENCH_SECRETS, type BenchPortal } from './bench-portal.ts';

/** How many unpaid invoices the measured customers have. */
export const SIZES = [10, 300, 3000];

export const BENCH_PASSWORD = 'measured again and again';
const PAID_INVOICES = 10_000;

export type Customer = { userId: string; headers: Record<string, string> };

/** One customer per size, over at most 40 locations, plus the invoices of ten thousand others. */
export async function fillBooks(databaseUrl: string, { short = false } = {}): Promise<void> {
  const hash = await hashPassword(BENCH_PASSWORD);
  await withClient(databaseUrl, async (client) => {
    await client.query(`
      INSERT INTO franchise (id, name, time_zone)
      SELECT n, 'Franchise ' || n, 'America/Chicago' FROM generate_series(1, 20) n`);
    await client.query(`
      INSERT INTO customer (franchise_id, number, name)
      SELECT 1 + n % 20, n, 'Customer ' || n FROM generate_series(1, 2000) n`);
    await client.query(`
      INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT c.franchise_id, c.number, c.id, 'Home', c.number || ' Maple Street', 'Springfield', 'IL', '62704', '62704'
        FROM customer c`);
    await client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       SELECT 'customer' || n || '@example.com', 'Robin', 'Example', $1, now() FROM generate_series(1, 2000) n`,
      [hash],
    );
    // Everybody has one location; the measured customers have more.
    await client.query(`
      INSERT INTO user_location (user_id, location_id, linked_at)
      SELECT u.id, l.id, now() FROM app_user u JOIN location l ON u.email = 'customer' || l.number || '@example.com'`);
    let first = 201;
    for (const size of short ? [10, 300] : SIZES) {
      const locations = Math.min(40, Math.ceil(size / 4));
      await addUnpaid(client, { size, first, locations });
      first += locations;
    }
    // Everybody's invoices: nine in ten are paid.
    await client.query(
      `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                            tax_rate_ppm, due_date, completed_date, tips_enabled, paid_elsewhere_cents)
       SELECT l.franchise_id, 100000000 + n, l.id, 'Windows; Gutters', 10825, 825, 82500, '2026-11-30', '2026-11-03', true,
              CASE WHEN n % 10 = 0 AND l.number > 400 THEN 0 ELSE 10825 END
         FROM generate_series(1, $1::integer) n JOIN location l ON l.number = 1 + n % 2000`,
      [short ? 2_000 : PAID_INVOICES],
    );
    await client.query('VACUUM ANALYZE');
  });
}

async function addUnpaid(
  client: pg.Client,
  { size, first, locations }: { size: number; first: number; locations: number },
): Promise<void> {
  await client.query(
    `INSERT INTO user_location (user_id, location_id, linked_at)
     SELECT (SELECT id FROM app_user WHERE email = $1), id, now() FROM location
      WHERE number >= $2 AND number < $2 + $3`,
    [emailOf(size), first, locations],
  );
  await client.query(
    `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                          tax_rate_ppm, due_date, completed_date, tips_enabled)
     SELECT l.franchise_id, $1 * 10000 + n, l.id, 'Windows; Gutters', 10825, 825, 82500,
            date '2026-11-01' + n % 60, '2026-11-03', true
       FROM generate_series(1, $1::integer) n JOIN location l ON l.number = $2 + n % $3`,
    [size, first, locations],
  );
}

/** The three numbers of one of everybody's invoices. */
export function threeNumbers(index: number) {
  const order = 1 + (index % PAID_INVOICES);
  const location = 1 + (order % 2000);
  return { franchiseId: 1 + (location % 20), workOrderNumber: 100_000_000 + order, zipCode: '62704' };
}

const emailOf = (size: number) => `customer${SIZES.indexOf(size) + 1}@example.com`;

/** Signs in as the customer with that many invoices. */
export async function signIn(
  { url, databaseUrl }: Pick<BenchPortal, 'url' | 'databaseUrl'>,
  size: number,
): Promise<Customer> {
  const email = emailOf(size);
  const answer = await fetch(`${url}/api/authentication/login`, {
    method: 'POST',
    headers: { 'x-apisecret': BENCH_SECRETS.apiSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: BENCH_PASSWORD }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const userId = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM app_user WHERE email = $1', [email]);
    return String(rows[0]?.id);
  });
  return {
    userId,
    headers: { 'x-apisecret': BENCH_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` },
  };
}
