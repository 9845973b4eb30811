import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { SCHEDULE, type ScheduledTask } from '../schedule.ts';
import { readLaneLags } from './lags.queries.ts';
import { isLaneLate } from './watch-lanes.ts';

const portal = useTestApp();
const lanes = Object.keys(SCHEDULE) as ScheduledTask[];

const ALERTS = readFileSync(new URL('../../../../../deploy/alerts.yaml', import.meta.url), 'utf8');
/** Above how many seconds the alerts for Prometheus report each lane. */
const alertedAbove = new Map(
  [...ALERTS.matchAll(/portal_lane_lag_seconds\{lane=~"([^"]+)"\}\) > (\d+)/g)].flatMap(
    ([, names = '', seconds]) => names.split('|').map((name) => [name, Number(seconds)] as const),
  ),
);

/** As if a lane's last run that succeeded was for a slot so long ago. */
const lastDone = (lane: ScheduledTask, seconds: number) =>
  portal.deps.db.query.execute(
    sql`UPDATE background_lane SET done_slot = engine_now() - make_interval(secs => ${seconds}) WHERE name = ${lane}`,
  );

async function lagOf(lane: ScheduledTask) {
  const lag = (await readLaneLags(portal.deps.db.query, { publicUrl: portal.deps.env.PUBLIC_URL })).find(
    (each) => each.lane === lane,
  );
  if (!lag) throw new Error(`${lane} has no lag`);
  return lag;
}

beforeEach(async () => {
  for (const lane of lanes) await lastDone(lane, 0);
});

test.each(lanes)(
  '%s is late, and an alert says so, once its runs have failed for long enough',
  async (lane) => {
    // A run a minute ago may be the latest that was due, or the one before.
    await lastDone(lane, 60);
    expect(await lagOf(lane)).toSatisfy((lag) => !isLaneLate(lag));
    // Five hours after a run was missed: longer than any lane may take.
    await lastDone(lane, SCHEDULE[lane].everySeconds + 5 * 60 * 60);
    const lag = await lagOf(lane);
    expect(lag).toSatisfy(isLaneLate);
    expect(lag.seconds).toBeGreaterThan(alertedAbove.get(lane) ?? Number.POSITIVE_INFINITY);
  },
);

test('a lane that has done its latest slot does not lag', async () => {
  for (const lane of lanes) expect(await lagOf(lane)).toEqual({ lane, seconds: 0 });
});
