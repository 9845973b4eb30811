import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { query } from '../query.ts';
import { openSnapshot } from './open-snapshot.ts';

const portal = useTestApp();

test('a snapshot whose connection was lost unnoticed keeps its owner from another for a minute at most', async () => {
  const snapshot = await openSnapshot({
    url: portal.deps.env.DATABASE_URL,
    applicationName: 'test',
    wakeUps: portal.deps.db.wakeUps,
    owner: randomUUID(),
  });
  if (snapshot === null) throw new Error('no snapshot');
  const [row] = await query<{ limit: string }>(snapshot.query)`
    SELECT current_setting('idle_in_transaction_session_timeout') AS "limit"`;
  expect(row?.limit).toBe('1min');
  await snapshot.close();
});
