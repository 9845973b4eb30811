import type pg from 'pg';
import { OFFICE_KEY_ID } from '../office/office.ts';

const ROWS = 5_000;

/** Gives the console's tables some history: a planner scans a table of a few rows, whatever its indexes. */
export async function lengthenConsole(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO office_import (id, api_key_id, state, started_at, ended_at)
     SELECT gen_random_uuid(), $1, 'applied', at, at
       FROM (SELECT engine_now() - n * interval '1 hour' AS at FROM generate_series(1, ${ROWS}) AS n) AS past`,
    [OFFICE_KEY_ID],
  );
  await client.query(
    `INSERT INTO office_import_change (import_id, invoice_id, before, after, at)
     SELECT o.id, i.id, '{}', '{}', engine_now() - o.n * interval '10 minutes'
       FROM (SELECT id, row_number() OVER () AS n FROM office_import) AS o
       JOIN (SELECT id, row_number() OVER () AS n FROM invoice) AS i USING (n)`,
  );
  await client.query(
    `INSERT INTO office_answer (actor_id, idem_key, request_hash, status, at)
     SELECT $1, n::text, '', 204, engine_now() - n * interval '10 seconds' FROM generate_series(1, ${ROWS}) AS n`,
    [OFFICE_KEY_ID],
  );
  await client.query(
    `INSERT INTO office_note (franchise_id, subject, subject_id, api_key_id, text)
     SELECT min(f.id), 'customer', n::text, $1, 'One' FROM franchise f, generate_series(1, ${ROWS}) AS n GROUP BY n`,
    [OFFICE_KEY_ID],
  );
  await client.query(
    `INSERT INTO credit_look (charge_id, invoice_id, actor_id)
     SELECT charge_id, invoice_id, $1 FROM charge_allocation LIMIT ${ROWS}`,
    [OFFICE_KEY_ID],
  );
  await lengthenAccounts(client);
  await lengthenRefunds(client);
  await client.query('ANALYZE');
}

/** Old withdrawn refunds, written past the guards, which would make each of them begin first. */
async function lengthenRefunds(client: pg.Client): Promise<void> {
  await client.query(`
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE past AS
      SELECT gen_random_uuid() AS request_id, gen_random_uuid() AS refund_id, c.intent_id, a.charge_id, a.invoice_id,
             c.merchant_account_id, c.order_id, row_number() OVER () AS n
        FROM charge c JOIN charge_allocation a ON a.charge_id = c.id LIMIT ${ROWS};
    INSERT INTO refund_request (id, intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval, created_at)
      SELECT request_id, intent_id, gen_random_uuid(), 'one', '', 'complaint', 1, false, engine_now() - n * interval '1 hour'
        FROM past;
    INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state)
      SELECT refund_id, request_id, charge_id, 1, 'r' || lpad(n::text, 23, '0'), 'withdrawn' FROM past;
    INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                             services_tax_cents, tip_cents, effect)
      SELECT refund_id, charge_id, invoice_id, 1, 0, 0, 0, 0, 'due-again' FROM past;
    INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk)
      SELECT 'seen' || n, merchant_account_id, order_id, 1, 'Z', '' FROM past;
    DROP TABLE past;
    RESET session_replication_role`);
}

/** Unconfirmed changes of address by many people. */
async function lengthenAccounts(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO email_change (id, user_id, old_email, new_email, confirm_hash, asked_at, cancelled_at)
     SELECT gen_random_uuid(), id, email, 'new-' || email, sha256(convert_to(email || n, 'UTF8')), at, at
       FROM (SELECT id, email FROM app_user LIMIT ${ROWS / 5}) AS person, generate_series(1, 5) AS n,
            (SELECT engine_now() - interval '1 year' AS at) AS past`,
  );
}
