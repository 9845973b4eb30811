import type pg from 'pg';

/** Longer than a lease, so the lease of a dead process no longer blocks anybody. */
const LATE_SECONDS = 65;

/** After a sweep of all due work: what was due for longer than a lease and nobody took, in words. */
export async function judgeLateness(admin: pg.Pool): Promise<string[]> {
  const { rows } = await admin.query<{ orderId: string; state: string }>(
    `SELECT order_id AS "orderId", state FROM charge
      WHERE next_try_at < engine_now() - make_interval(secs => $1)`,
    [LATE_SECONDS],
  );
  return rows.map(
    ({ orderId, state }) => `charge ${orderId} (${state}) is due for more than ${LATE_SECONDS} s, and left`,
  );
}
