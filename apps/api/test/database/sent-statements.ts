import pg from 'pg';
import { vi } from 'vitest';

/** Reloaded once a second, independent of calls. */
const NOW_AND_THEN = /FROM session WHERE ended_at >/;

let sent: string[] = [];

// At import time, because each connection keeps the `query` that it started with.
const query = pg.Client.prototype.query as (...values: unknown[]) => unknown;
vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...values: unknown[]) {
  const [asked] = values as [string | { text: string }];
  const text = typeof asked === 'string' ? asked : asked.text;
  if (!NOW_AND_THEN.test(text)) sent.push(text);
  return query.apply(this, values);
} as never);

/** The statements that this process sends to Postgres during `work`, in order and without their values. */
export async function sentStatements(work: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await work();
  const taken = sent;
  sent = [];
  return taken;
}
