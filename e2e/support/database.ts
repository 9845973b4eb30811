import pg from 'pg';
import { systemUnderTest } from './system.ts';

/** Work on the database of the system under test: for what would take a day, or a fault of the provider, to come about. */
export async function inDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: systemUnderTest().databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
