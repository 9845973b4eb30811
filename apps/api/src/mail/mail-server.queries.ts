import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { query } from '../db/query.ts';

/** One attempt may fail by chance; two in a row mean that the server is down. */
const FAILURES_THAT_TELL = 2;
const LONGEST_REST_SECONDS = 300;
/** Longer than one attempt may take. */
const PROBE_SECONDS = 60;

/** Whether an attempt has failed since the server's last answer. */
export const isMailServerFailing = sql`
  EXISTS (SELECT FROM background_lane WHERE name = 'deliver-mail' AND failures > 0)`;

/** A rest, or a probe's lease, longer than any is from before the clock was set back. */
const isRestOver = sql`(resting_until <= engine_now()
  OR resting_until > engine_now() + make_interval(secs => ${LONGEST_REST_SECONDS}))`;
/** When the server's rest is over. */
export const restEnd = sql`
  coalesce((SELECT resting_until FROM background_lane WHERE name = 'deliver-mail'), engine_now())`;
const isProbeFree = sql`(lease_until IS NULL OR lease_until < engine_now()
  OR lease_until > engine_now() + make_interval(secs => ${PROBE_SECONDS}))`;

/** After the server's rest, lets one sender among all instances try one mail. */
export async function takeMailProbe(db: Queryable): Promise<boolean> {
  const rows = await query(db)`
    UPDATE background_lane SET lease_until = engine_now() + make_interval(secs => ${PROBE_SECONDS})
     WHERE name = 'deliver-mail' AND failures > 0 AND ${isRestOver} AND ${isProbeFree}
    RETURNING name`;
  return rows.length > 0;
}

/** Gives the probe back if there was no mail to try. */
export async function returnMailProbe(db: Queryable): Promise<void> {
  await query(db)`UPDATE background_lane SET lease_until = NULL WHERE name = 'deliver-mail'`;
}

/** Backs off for five seconds, then twice as long each time. Concurrent failures count once. */
export async function restMailServer(db: Queryable): Promise<void> {
  await query(db)`
    UPDATE background_lane SET failures = failures + 1, lease_until = NULL,
           resting_until = engine_now() + make_interval(secs => least(${LONGEST_REST_SECONDS}, 5 * power(2, least(failures, 10))))
     WHERE name = 'deliver-mail' AND (resting_until IS NULL OR ${isRestOver})`;
}

export async function noteMailServerAnswer(db: Queryable): Promise<void> {
  await query(db)`
    UPDATE background_lane SET failures = 0, lease_until = NULL, resting_until = NULL WHERE name = 'deliver-mail' AND failures > 0`;
}

/** Whether several attempts in a row got no answer, and a mail still waits for one: only its attempt can end that. */
export async function isMailServerSilent(db: Queryable): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM background_lane WHERE name = 'deliver-mail' AND failures >= ${FAILURES_THAT_TELL}
       AND EXISTS (SELECT FROM outgoing_mail WHERE next_try_at IS NOT NULL)`;
  return rows.length > 0;
}
