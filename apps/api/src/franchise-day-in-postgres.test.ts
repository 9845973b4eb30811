import { isTimeZone } from '@brightpane/contract/time-zone';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../test/build-test-app.ts';
import { franchiseDay, zonedInstant } from './franchise-day.ts';

const portal = useTestApp();

/** Each month of two years that the time zones of Node and of Postgres both know. */
const INSTANTS = Array.from({ length: 24 }, (_, month) =>
  new Date(Date.UTC(2024, month, 15, month)).toISOString(),
);

test('every time zone that offices may name has the same days and clock here and in Postgres', async () => {
  const db = portal.deps.db.query;
  const { rows: known } = await db.execute<{ name: string }>(sql`
    SELECT name FROM pg_timezone_names UNION SELECT abbrev FROM pg_timezone_abbrevs`);
  const zones = [
    ...new Set([...Intl.supportedValuesOf('timeZone'), ...known.map(({ name }) => name)]),
  ].filter(isTimeZone);
  expect(zones.length).toBeGreaterThan(500);
  const { rows } = await db.execute<{ zone: string; instant: string; day: string; clock: string }>(sql`
    SELECT zone, instant, (instant::timestamptz AT TIME ZONE zone)::date::text AS day,
           to_char(instant::timestamptz AT TIME ZONE zone, 'YYYY-MM-DD"T"HH24:MI:SS') AS clock
      FROM unnest(${sql.param(zones)}::text[]) AS zone CROSS JOIN unnest(${sql.param(INSTANTS)}::text[]) AS instant`);
  const others = rows.filter(
    ({ zone, instant, day, clock }) =>
      day !== franchiseDay(instant, zone) || clock !== zonedInstant(instant, zone).slice(0, clock.length),
  );
  expect(rows).toHaveLength(zones.length * INSTANTS.length);
  expect([...new Set(others.map(({ zone }) => zone))]).toEqual([]);
});
