import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';

const portal = useTestApp();

test('a running portal is live and ready, without a secret', async () => {
  for (const path of ['live', 'ready']) {
    const answer = await portal.app.inject(`/api/health/${path}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: path }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('without its tables it is live and not ready', async () => {
  await portal.deps.db.pool.query('ALTER TABLE invoice RENAME TO invoice_away');
  try {
    expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
    const answer = await portal.app.inject('/api/health/ready');
    expect(answer.json()).toMatchObject({ status: 503, detail: 'The database does not answer.' });
  } finally {
    await portal.deps.db.pool.query('ALTER TABLE invoice_away RENAME TO invoice');
  }
});

test('an unknown address answers 404 as a problem', async () => {
  const answer = await portal.app.inject('/api/nothing');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ title: 'Not Found', status: 404, errors: [] });
});
