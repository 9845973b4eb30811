import type pg from 'pg';
import { OFFICE_KEY_ID } from '../office.ts';

const ROWS = 5_000;

/** Gives what the console writes some history: a planner reads all of a table with a few rows, whatever its indexes. */
export async function lengthenConsole(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO office_import (id, api_key_id, state, started_at, ended_at)
     SELECT gen_random_uuid(), $1, 'applied', at, at
       FROM (SELECT engine_now() - n * interval '1 hour' AS at FROM generate_series(1, ${ROWS}) AS n) AS past`,
    [OFFICE_KEY_ID],
  );
  await pool.query(
    `INSERT INTO office_import_change (import_id, invoice_id, before, after, at)
     SELECT o.id, i.id, '{}', '{}', engine_now() - o.n * interval '10 minutes'
       FROM (SELECT id, row_number() OVER () AS n FROM office_import) AS o
       JOIN (SELECT id, row_number() OVER () AS n FROM invoice) AS i USING (n)`,
  );
  await pool.query(
    `INSERT INTO office_answer (actor_id, idem_key, request_hash, status, at)
     SELECT $1, n::text, '', 204, engine_now() - n * interval '10 seconds' FROM generate_series(1, ${ROWS}) AS n`,
    [OFFICE_KEY_ID],
  );
  await pool.query(
    `INSERT INTO office_note (franchise_id, subject, subject_id, api_key_id, text)
     SELECT min(f.id), 'customer', n::text, $1, 'One' FROM franchise f, generate_series(1, ${ROWS}) AS n GROUP BY n`,
    [OFFICE_KEY_ID],
  );
  await pool.query(
    `INSERT INTO credit_look (charge_id, invoice_id, actor_id)
     SELECT charge_id, invoice_id, $1 FROM charge_allocation LIMIT ${ROWS}`,
    [OFFICE_KEY_ID],
  );
  await lengthenAccounts(pool);
  await pool.query('ANALYZE');
}

/** Changes of address that nobody has confirmed, of many people. */
async function lengthenAccounts(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO email_change (id, user_id, old_email, new_email, confirm_hash, asked_at, cancelled_at)
     SELECT gen_random_uuid(), id, email, 'new-' || email, sha256(convert_to(email || n, 'UTF8')), at, at
       FROM (SELECT id, email FROM app_user LIMIT ${ROWS / 5}) AS person, generate_series(1, 5) AS n,
            (SELECT engine_now() - interval '1 year' AS at) AS past`,
  );
}
