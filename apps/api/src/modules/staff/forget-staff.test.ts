import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { makeStaff, OFFICE_SETTINGS } from '../../../test/office/office-people.ts';
import { forgetStaff } from './forget-staff.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const DAY_HOURS = 24;

test('keeps sessions for 400 days, and answers, challenges and step-ups for one', async () => {
  const { staffId } = await makeStaff(portal);
  const hoursAgo = (hours: number) => new Date(portal.now.getTime() - hours * 3_600_000).toISOString();
  const plant = async (name: string, hours: number, sessionHours: number) => {
    await portal.deps.db.query.execute(sql`
      WITH started AS (
        INSERT INTO office_session (token_hash, staff_id, level, method, device, expires_at)
        VALUES (${name}::bytea, ${staffId}, 'full', 'totp', ${name}, ${hoursAgo(sessionHours)})),
      answered AS (
        INSERT INTO office_answer (actor_id, idem_key, request_hash, status, at)
        VALUES (${staffId}, ${name}, '', 204, ${hoursAgo(hours)})),
      challenged AS (
        INSERT INTO office_challenge (challenge, purpose, expires_at)
        VALUES (${name}::bytea, 'sign-in', ${hoursAgo(hours)}))
      SELECT`);
    await portal.deps.db.query.execute(sql`
      INSERT INTO step_up (token_hash, session_id, act_hash, expires_at)
      SELECT ${name}::bytea, id, '', ${hoursAgo(hours)} FROM office_session WHERE device = 'recent'`);
  };
  await plant('recent', DAY_HOURS - 1, 400 * DAY_HOURS - 1);
  await plant('old', DAY_HOURS + 1, 400 * DAY_HOURS + 1);

  await forgetStaff(portal.deps);

  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT (SELECT json_agg(device) FROM office_session) AS sessions,
           (SELECT json_agg(idem_key) FROM office_answer) AS answers,
           (SELECT json_agg(convert_from(challenge, 'UTF8')) FROM office_challenge) AS challenges,
           (SELECT json_agg(convert_from(token_hash, 'UTF8')) FROM step_up) AS "stepUps"`);
  const kept = ['recent'];
  expect(rows).toEqual([{ sessions: kept, answers: kept, challenges: kept, stepUps: kept }]);
});
