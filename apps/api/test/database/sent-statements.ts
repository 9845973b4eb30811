import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

/** Reloaded once a second, independent of calls. */
const NOW_AND_THEN = /FROM session WHERE ended_at >/;

/** Returns the statements that this process sends to Postgres during `work`, in order and without their values. */
export type WatchSent = (work: () => Promise<unknown>) => Promise<string[]>;

/**
 * Watches the connections of one test file. Call it before the file's app: each connection keeps the `query` that it
 * started with.
 */
export function useSentStatements(): WatchSent {
  const client = pg.Client.prototype as unknown as { query(...values: unknown[]): unknown };
  const { query } = client;
  let sent: string[] | undefined;
  beforeAll(() => {
    client.query = function (this: pg.Client, ...values) {
      const [asked] = values as [string | { text: string }];
      const text = typeof asked === 'string' ? asked : asked.text;
      if (!NOW_AND_THEN.test(text)) sent?.push(text);
      return query.apply(this, values);
    };
  });
  afterAll(() => {
    client.query = query;
  });
  return async (work) => {
    const taken: string[] = [];
    sent = taken;
    await work();
    sent = undefined;
    return taken;
  };
}
