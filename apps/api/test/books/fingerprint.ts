import { sql } from 'drizzle-orm';
import type { TestApp } from '../build-test-app.ts';

/** A fingerprint of all tables but the named ones; two equal ones mean that nothing has changed. */
export async function fingerprint(
  { deps }: TestApp,
  { but }: { but: readonly string[] },
): Promise<Record<string, string>> {
  const { query } = deps.db;
  const { rows } = await query.execute<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  const parts = rows
    .filter(({ name }) => !but.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
    );
  const all = await query.execute<{ name: string; hash: string }>(sql.raw(parts.join(' UNION ALL ')));
  return Object.fromEntries(all.rows.map(({ name, hash }) => [name, hash]));
}
