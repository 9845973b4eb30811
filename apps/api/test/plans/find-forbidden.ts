import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { grantAppRights } from '../../src/db/prepare/grant-rights.ts';
import { withClient } from '../database/make-database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_TABLE = '42P01';
const EXPECTED = new Set<string | undefined>([INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE]);

/** Statements that Postgres plans; it checks their rights before it would run them. */
const IS_PLANNED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|VALUES)\b/i;

/** The statements, by their texts, that a role of the portal's own, which owns nothing, may not run. */
export async function findForbidden(
  ownerUrl: string,
  texts: Iterable<string>,
): Promise<{ asked: number; forbidden: string[] }> {
  const role = `brightpane_test_${randomBytes(4).toString('hex')}`;
  const appUrl = new URL(ownerUrl);
  appUrl.username = role;
  appUrl.password = 'only-for-this-test';
  return withClient(ownerUrl, async (owner) => {
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${appUrl.password}'`);
    try {
      await grantAppRights({ ownerUrl, appUrl: appUrl.href });
      return await withClient(appUrl.href, (app) => askEach(app, texts));
    } finally {
      await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
}

async function askEach(app: pg.Client, texts: Iterable<string>) {
  const forbidden: string[] = [];
  let asked = 0;
  for (const text of texts) {
    if (!IS_PLANNED.test(text)) continue;
    const code = await codeOf(() => explain(app, text));
    // An import's own temporary tables; roles.test.ts imports under such a role.
    if (code === UNDEFINED_TABLE) continue;
    if (code === INSUFFICIENT_PRIVILEGE) forbidden.push(text.replace(/\s+/g, ' ').slice(0, 200));
    asked += 1;
  }
  return { asked, forbidden };
}

async function explain(app: pg.Client, text: string): Promise<void> {
  await app.query('DEALLOCATE ALL');
  await app.query(`PREPARE asked AS ${text}`);
  const { rows } = await app.query<{ count: number }>(
    `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'asked'`,
  );
  const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'NULL');
  await app.query(`EXPLAIN EXECUTE asked${values.length === 0 ? '' : `(${values.join(', ')})`}`);
}

async function codeOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof pg.DatabaseError && EXPECTED.has(error.code)) return error.code;
    throw error;
  }
}
