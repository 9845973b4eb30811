import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useTestApp } from '../../test/build-test-app.ts';
import { forgetOld } from './forget-old.ts';

const portal = useTestApp();

/** Rows that expired a year ago, more than a statement works on. */
const EXPIRED = 2_500;
const at = `engine_now() - interval '1 year'`;
const plant = {
  limit_counter: `(key, count, last_at, window_end) SELECT n, 1, ${at}, ${at}`,
  session: `(id, user_id, created_at, expires_at) SELECT gen_random_uuid(), gen_random_uuid(), ${at}, ${at}`,
  mail_token: `(token_hash, purpose, email, created_at, expires_at) SELECT n::text::bytea, 'reset', '', ${at}, ${at}`,
  account_offer: `(user_id, intent_id, location_id, zip_key, expires_at)
                  SELECT gen_random_uuid(), gen_random_uuid(), n, '', ${at}`,
  office_import_change: `(import_id, invoice_id, before, after, at) SELECT gen_random_uuid(), n, '{}', '{}', ${at}`,
  app_user: `(email, first_name, last_name, password_hash, created_at) SELECT n || '@example.com', '', '', '', ${at}`,
};
const MAILS = `INSERT INTO outgoing_mail (kind, recipient, content, next_try_at, blank_at)
               SELECT 'invitation', n || '@example.com', '{}', NULL, ${at} FROM generate_series(1, ${EXPIRED}) AS n`;

test('removes any number of expired rows, a thousand at a time', async () => {
  const client = new pg.Client({ connectionString: portal.deps.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const [table, rows] of Object.entries(plant))
      await client.query(`INSERT INTO ${table} ${rows} FROM generate_series(1, ${EXPIRED}) AS n`);
    await client.query(MAILS);
    await client.query('SET session_replication_role = origin');
    await client.query(`
      CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM gone) > 1000 THEN RAISE EXCEPTION 'too many at once'; END IF;
        RETURN NULL;
      END $$`);
    for (const table of [...Object.keys(plant), 'outgoing_mail'])
      await client.query(`CREATE TRIGGER refuse_many AFTER ${table === 'outgoing_mail' ? 'UPDATE' : 'DELETE'} ON ${table}
                          REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
    await forgetOld(portal.deps);
    for (const table of Object.keys(plant))
      expect((await client.query(`SELECT FROM ${table}`)).rowCount, table).toBe(0);
    expect((await client.query(`SELECT FROM outgoing_mail WHERE recipient <> ''`)).rowCount).toBe(0);
  } finally {
    await client.query('DROP FUNCTION IF EXISTS refuse_many CASCADE');
    await client.end();
  }
}, 60_000);

test('a step that fails keeps no other from its work, and is reported', async () => {
  const { query } = portal.deps.db;
  await query.execute(sql.raw(MAILS));
  await query.execute(sql`ALTER TABLE limit_counter RENAME TO limit_counter_away`);
  try {
    await expect(forgetOld(portal.deps)).rejects.toThrow('limit_counter');
    expect((await query.execute(sql`SELECT FROM outgoing_mail WHERE recipient <> ''`)).rowCount).toBe(0);
  } finally {
    await query.execute(sql`ALTER TABLE limit_counter_away RENAME TO limit_counter`);
  }
});
