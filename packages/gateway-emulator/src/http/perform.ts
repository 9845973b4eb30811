import { setTimeout as wait } from 'node:timers/promises';
import { dueSettlements } from '../batches.ts';
import type { Call, Plan } from '../call.ts';
import { resolveCard } from '../cards/resolve-card.ts';
import { outcomeOf } from '../cards/test-cards.ts';
import { findOriginal } from '../commands/find-original.ts';
import { foldingPrint } from '../commands/folding.ts';
import { voidedPlan } from '../commands/void.ts';
import type { Emulator } from '../emulator.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { announce } from '../webhooks.ts';
import type { RouteMatch } from './api-routes.ts';

interface Processing {
  seconds: number;
  print: string;
}

/** How long the processor takes for this call: some test cards are slow. */
function processingOf(call: Call, { route }: RouteMatch): Processing {
  const isCharge = route.name === 'transaction' && findOriginal(call) === undefined;
  const resolved = isCharge ? resolveCard(call) : undefined;
  const cents = centsOf(call.body.amount);
  if (!resolved?.ok || cents === undefined) return { seconds: 0, print: '' };
  const delay = outcomeOf(resolved.card.number).delaySeconds ?? 0;
  return {
    seconds: delay * call.switches.delayScale,
    print: foldingPrint(call, resolved.card.number, cents),
  };
}

/** The gateway voids an approval that came after the caller's own limit. */
function reversed(plan: Plan): Plan {
  const changes = plan.changes.flatMap((change) =>
    change.table === 'transactions' && 'put' in change && change.put.result !== 'D'
      ? voidedPlan(change.put, true).changes
      : [change],
  );
  return { ...plan, changes };
}

async function commit(emulator: Emulator, call: Call, plan: Plan): Promise<void> {
  await emulator.ledger.commit(plan.changes);
  announce(call, plan.notices ?? [], emulator.stopped);
}

function pause(emulator: Emulator, seconds: number): Promise<void> {
  return wait(seconds * 1000, undefined, { ref: false, signal: emulator.stopped });
}

async function reverseLater(
  emulator: Emulator,
  call: Call,
  match: RouteMatch,
  seconds: number,
): Promise<void> {
  try {
    await pause(emulator, seconds);
    const current = { ...call, now: emulator.now() };
    await commit(emulator, current, reversed(match.route.handle(current)));
  } catch (reason) {
    if (!emulator.stopped.aborted) throw reason;
  }
}

/**
 * Plans the call on the current state and commits it; a dry call changes nothing. Nothing runs in between, so no
 * call sees half of another.
 */
export async function perform(
  emulator: Emulator,
  call: Call,
  match: RouteMatch,
  { isDry }: { isDry: boolean },
): Promise<Plan> {
  const { seconds, print } = processingOf(call, match);
  if (print !== '' && emulator.underWay.has(print)) return transactionError(93);
  if (print !== '') emulator.underWay.add(print);
  try {
    const limit = call.timeoutSeconds ?? Number.POSITIVE_INFINITY;
    if (seconds > 0) await pause(emulator, Math.min(seconds, limit));
    if (seconds > limit) {
      void reverseLater(emulator, call, match, seconds - limit);
      return transactionError(19);
    }
    const current = { ...call, now: emulator.now() };
    await emulator.ledger.commit(dueSettlements(current));
    const plan = match.route.handle(current);
    if (!isDry) await commit(emulator, current, plan);
    return plan;
  } finally {
    emulator.underWay.delete(print);
  }
}
