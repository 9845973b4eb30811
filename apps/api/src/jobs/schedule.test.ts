import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../test/books/engine-clock.ts';
import { useTestApp } from '../../test/build-test-app.ts';
import { endTurn, type Turn, takeTurn } from './schedule.queries.ts';
import { SCHEDULE } from './schedule.ts';

const portal = useTestApp();
const TEN_DAYS = 10 * 24 * 60 * 60;

const take = () => takeTurn(portal.deps.db.query, { name: 'check-books', slots: SCHEDULE['check-books'] });

test.each<[string, (turn: Turn) => Promise<void>]>([
  ['ended', (turn) => endTurn(portal.deps.db.query, turn)],
  ['died', async () => {}],
])('a task goes on after the engine’s clock was ahead while a run %s', async (_, end) => {
  await advanceEngineClock(portal.deps, TEN_DAYS);
  const ahead = await take();
  if (!ahead) throw new Error('no run was due');
  await end(ahead);
  expect(await take()).toBeUndefined();
  await advanceEngineClock(portal.deps, SCHEDULE['check-books'].everySeconds - TEN_DAYS);
  const again = await take();
  expect(again).toBeDefined();
  if (again) await endTurn(portal.deps.db.query, again);
  expect(await take()).toBeUndefined();
});
