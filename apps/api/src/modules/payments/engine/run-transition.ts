import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import type { IntentState } from '../../../db/schema/payments.ts';
import { inOneTrip } from '../../../db/statements/in-one-trip.ts';
import { wake } from '../../../jobs/wake.ts';
import { abandonCharges, acceptCharges, moveCharge, moveChargeAlone } from './charges.queries.ts';
import type { Decided } from './decided.ts';
import { type IntentRow, lockIntent, lockInvoicesOf } from './payments.queries.ts';
import { type Arrival, type DecisionEvent, type Transition, transitionOf } from './transitions.ts';

/** The result of an event that the payment's state rules out, or null if the table allows the event. */
export function closedFor({ state, outcome, isExpired }: IntentRow, event: DecisionEvent): Decided | null {
  const asked = transitionOf(event).while;
  if (asked === 'decided') return state === 'undecided' ? { result: 'unmoved' } : null;
  if (state !== 'undecided') return outcome ? { result: 'decided', outcome } : { result: 'unmoved' };
  return isExpired && asked === 'in-time' ? { result: 'expired' } : null;
}

/** Takes an event's locks in order, payment first, then its invoices. Returns the payment as read under them. */
export async function lockFor(tx: Queryable, intentId: string, event: DecisionEvent): Promise<IntentRow> {
  const locksInvoices = transitionOf(event).locks.includes('invoices');
  const [intent] = await inOneTrip(tx, [
    () => lockIntent(tx, intentId),
    async () => locksInvoices && (await lockInvoicesOf(tx, intentId)),
  ]);
  return intent;
}

export function decidedState(event: DecisionEvent, { isDeclined = false } = {}): IntentState {
  const { decides } = transitionOf(event);
  const state = isDeclined ? decides?.or : decides?.to;
  if (!state) throw new Error(`${event} does not decide a payment like this`);
  return state;
}

/** Moves one charge as the table says for the event. `isOther` takes the table's `or`. */
export async function moveByEvent(
  tx: Queryable,
  event: DecisionEvent,
  {
    chargeId,
    fence,
    also,
    isOther = false,
  }: { chargeId: string; fence?: number | undefined; also?: SQL; isOther?: boolean },
): Promise<boolean> {
  const transition = transitionOf(event);
  const arrival = isOther ? otherOf(transition) : transition;
  const moved = await moveCharge(tx, { chargeId, fence, transition, arrival, ...(also && { also }) });
  if (!moved) return false;
  wakeFor(tx, { transition, arrival, accountIds: [moved.accountId] });
  return true;
}

/** Moves one charge in a commit of its own, where the table says that the event does nothing else. */
export async function moveAlone(
  db: Queryable,
  event: DecisionEvent,
  { intentId, chargeId, fence }: { intentId: string; chargeId: string; fence?: number | undefined },
): Promise<boolean> {
  const transition = transitionOf(event);
  const moved = await moveChargeAlone(db, { intentId, chargeId, fence, transition });
  if (!moved) return false;
  wakeFor(db, { transition, arrival: transition, accountIds: [moved.accountId] });
  return true;
}

/** Returns whether all charges of the payment are now accepted. */
export async function acceptAll(
  tx: Queryable,
  payment: Omit<Parameters<typeof acceptCharges>[1], 'transition'>,
): Promise<boolean> {
  const transition = transitionOf('accept');
  const accountIds = await acceptCharges(tx, { ...payment, transition });
  if (!accountIds) return false;
  wakeFor(tx, { transition, arrival: transition, accountIds });
  return true;
}

export async function abandonAll(
  tx: Queryable,
  { intentId, refused }: { intentId: string; refused: readonly string[] },
): Promise<void> {
  const transition = transitionOf('abandon');
  const other = otherOf(transition);
  const accountIds = await abandonCharges(tx, { intentId, refused, transition, other });
  wakeFor(tx, { transition, arrival: transition, accountIds });
}

function otherOf({ or }: Transition): Arrival {
  if (!or) throw new Error('the table has no other end for this event');
  return or;
}

function wakeFor(
  tx: Queryable,
  {
    transition: { wakes },
    arrival: { next },
    accountIds,
  }: { transition: Transition; arrival: Arrival; accountIds: number[] },
): void {
  const isDue = next === 'now' || next === 'once-listed';
  if (wakes && isDue) for (const accountId of accountIds) wake(tx, wakes, { accountId });
}
