import pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import { isNewer } from '../migrate.ts';
import { APP_RIGHTS, HIDDEN_COLUMNS } from './app-rights.ts';
import { connectToPrepare } from './connect-to-prepare.ts';

/**
 * Grants the role of `appUrl` its rights, as the owner. Runs after every migration, so that new
 * tables are usable at once.
 */
export async function grantAppRights({
  ownerUrl,
  appUrl,
}: {
  ownerUrl: string;
  appUrl: string;
}): Promise<void> {
  const role = await currentRole(appUrl);
  await asOwner(ownerUrl, async (owner) => {
    for (const statement of appGrants(role)) await owner.query(statement);
  });
}

/** Grants a role read access to everything except secrets. */
export async function grantReaderRights({
  ownerUrl,
  role,
}: {
  ownerUrl: string;
  role: string;
}): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ table: string; columns: string[] }>(`
      SELECT table_name AS "table", array_agg(column_name::text ORDER BY ordinal_position) AS columns
        FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`);
    for (const statement of readerGrants(role, rows)) await owner.query(statement);
  });
}

/**
 * Uses one transaction, so that a running instance sees its old rights or its new ones, never none. Does nothing on the
 * database of a newer release: its instances need rights that this one doesn't know, and it has secrets to hide that
 * this one doesn't know either.
 */
async function asOwner(url: string, work: (owner: pg.Client) => Promise<void>): Promise<void> {
  const owner = await connectToPrepare(url);
  try {
    await owner.query('BEGIN');
    await owner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.grant]);
    // Asked under the lock: a newer release that migrates meanwhile grants after this.
    if (!(await isNewer(owner))) await work(owner);
    await owner.query('COMMIT');
  } finally {
    await owner.end();
  }
}

async function currentRole(url: string): Promise<string> {
  const client = await connectToPrepare(url);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
    return rows[0]?.name ?? '';
  } finally {
    await client.end();
  }
}

function appGrants(roleName: string): string[] {
  const role = pg.escapeIdentifier(roleName);
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    // An import first reads its rows into a temporary table.
    inDatabase(`GRANT TEMPORARY ON DATABASE %I TO ${role}`),
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    ...Object.entries(APP_RIGHTS).map(([table, rights]) => `GRANT ${rights} ON ${table} TO ${role}`),
    `GRANT SELECT ON visible_location, visible_franchise, invariant_violations TO ${role}`,
    `GRANT EXECUTE ON FUNCTION remove_unconfirmed_users, remove_unconfirmed_user, fill_shares TO ${role}`,
  ];
}

function readerGrants(roleName: string, tables: { table: string; columns: string[] }[]): string[] {
  const role = pg.escapeIdentifier(roleName);
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    ...tables.map(({ table, columns }) => {
      const hidden = HIDDEN_COLUMNS[table] ?? [];
      const shown = columns.filter((column) => !hidden.includes(column)).map(pg.escapeIdentifier);
      return `GRANT SELECT (${shown.join(', ')}) ON ${pg.escapeIdentifier(table)} TO ${role}`;
    }),
  ];
}

const inDatabase = (statement: string) =>
  `DO $$ BEGIN EXECUTE format(${pg.escapeLiteral(statement)}, current_database()); END $$`;
