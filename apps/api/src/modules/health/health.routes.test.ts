import { expect, test, vi } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { useSentStatements } from '../../../test/database/sent-statements.ts';

const watchSent = useSentStatements();
const portal = useTestApp();

const ready = () => portal.app.inject('/api/health/ready');

test('without its tables it is live and not ready, and ready as soon as they are there', async () => {
  await portal.deps.db.pool.query('ALTER TABLE invoice RENAME TO invoice_away');
  try {
    expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
    expect((await ready()).json()).toMatchObject({ status: 503, detail: 'The database does not answer.' });
  } finally {
    await portal.deps.db.pool.query('ALTER TABLE invoice_away RENAME TO invoice');
  }
  expect((await ready()).statusCode).toBe(200);
});

test('however many ask whether it is ready, the database is asked once, and again when a second has passed', async () => {
  const now = vi.spyOn(performance, 'now');
  const passSeconds = (seconds: number) => now.mockReturnValue(performance.now() + seconds * 1_000);
  const countWrites = async (work: () => Promise<unknown>) =>
    (await watchSent(work)).filter((statement) => statement.includes('pg_logical_emit_message')).length;
  try {
    passSeconds(2);
    expect(await countWrites(() => Promise.all(Array.from({ length: 50 }, ready)))).toBe(1);
    passSeconds(0.9);
    expect(await countWrites(ready)).toBe(0);
    passSeconds(0.2);
    expect(await countWrites(ready)).toBe(1);
  } finally {
    now.mockRestore();
  }
});

test('a running portal is live and ready, without a secret', async () => {
  for (const path of ['live', 'ready']) {
    const answer = await portal.app.inject(`/api/health/${path}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: path }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('an unknown address answers 404 as a problem', async () => {
  const answer = await portal.app.inject('/api/nothing');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ title: 'Not Found', status: 404, errors: [] });
});
