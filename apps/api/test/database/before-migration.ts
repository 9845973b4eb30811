import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { createEmptyDatabase } from './postgres.ts';

const FOLDER = new URL('../../src/db/migrations/', import.meta.url);

/** A database as it was before a migration, and how to run that. */
type Before = {
  admin: pg.Client;
  migrate(): Promise<void>;
  /** Writes rows without their guards and without what they refer to. */
  plant(...statements: string[]): Promise<void>;
};

/** Runs the work on a database of its own with all migrations before the one of this name. */
export async function beforeMigration(name: string, work: (before: Before) => Promise<void>): Promise<void> {
  const database = await createEmptyDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const run = async (file: string) => void (await admin.query(readFileSync(new URL(file, FOLDER), 'utf8')));
  const plant = async (...statements: string[]) => {
    await admin.query('SET session_replication_role = replica');
    for (const statement of statements) await admin.query(statement);
    await admin.query('SET session_replication_role = origin');
  };
  try {
    const earlier = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file < name);
    for (const file of earlier.toSorted()) await run(file);
    await work({ admin, migrate: () => run(name), plant });
  } finally {
    await admin.end();
    await database.drop();
  }
}
