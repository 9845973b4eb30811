import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { query } from '../db/query.ts';
import type { ScheduledTask, Slots } from './schedule.ts';

const LEASE_SECONDS = 300;
const LONGEST_PAUSE_SECONDS = 300;

export type Turn = { name: ScheduledTask; fence: number; slot: string };

/** The start of the slot that contains a time. */
const slotAt = ({ everySeconds, atSeconds }: Slots, time: SQL): SQL => sql`
  date_bin(make_interval(secs => ${everySeconds}), ${time},
           '2020-01-01T00:00:00Z'::timestamptz + make_interval(secs => ${atSeconds}))`;

/** The start of the current slot. */
const slotOf = (slots: Slots): SQL => slotAt(slots, sql`engine_now()`);

/** When the first run after `done_slot` is due, or was. Unlike the current slot, it stays while runs fail. */
export const dueSince = (slots: Slots): SQL => sql`
  ${slotAt(slots, sql`done_slot`)} + make_interval(secs => ${slots.everySeconds})`;

/**
 * Takes this slot's run, unless another instance did it or is running it. A process that dies loses its turn after some
 * minutes. A slot or a lease that the clock, set back, has still to come to would keep everybody from the run until then.
 */
export async function takeTurn(
  db: Queryable,
  { name, slots }: { name: ScheduledTask; slots: Slots },
): Promise<Turn | undefined> {
  const [row] = await query<Omit<Turn, 'name'>>(db)`
    UPDATE background_lane SET
      lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS}), fence = fence + 1
     WHERE name = ${name} AND (done_slot < ${slotOf(slots)} OR done_slot > engine_now())
       AND (lease_until IS NULL OR lease_until < engine_now()
            OR lease_until > engine_now() + make_interval(secs => ${LEASE_SECONDS}))
    RETURNING fence, ${slotOf(slots)}::text AS slot`;
  return row && { name, ...row };
}

/** Renews the turn during a long run. */
export async function keepTurn(db: Queryable, { name, fence }: Turn): Promise<void> {
  await query(db)`
    UPDATE background_lane SET lease_until = engine_now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE name = ${name} AND fence = ${fence} AND lease_until IS NOT NULL`;
}

export async function endTurn(db: Queryable, { name, fence, slot }: Turn): Promise<void> {
  await query(db)`
    UPDATE background_lane SET done_slot = ${slot}::timestamptz, lease_until = NULL
     WHERE name = ${name} AND fence = ${fence}`;
}

/** After a failed run, lets any instance retry in some minutes. */
export async function postponeTurn(
  db: Queryable,
  { name, fence }: Turn,
  { everySeconds }: Slots,
): Promise<void> {
  await query(db)`
    UPDATE background_lane SET lease_until = engine_now() + make_interval(secs => ${Math.min(everySeconds, LONGEST_PAUSE_SECONDS)})
     WHERE name = ${name} AND fence = ${fence}`;
}
