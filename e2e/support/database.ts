import pg from 'pg';
import { systemUnderTest } from './system.ts';

/** Works on the database of the system under test, for states that would take a day or a provider's fault. */
export async function inDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: systemUnderTest().databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
