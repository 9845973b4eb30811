import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { auditEvent } from '../../../db/schema/operations.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import { isKeyTaken, moveCharge, withHold } from './charges.queries.ts';
import type { Decided } from './decided.ts';
import { failCapture } from './fail-capture.ts';
import type { IntentRow } from './payments.queries.ts';
import type { DecisionEvent } from './transitions.ts';

type Hold = { transactionKey: string; reference: string };

/** What the sweep or a person found out about one charge. A worker of the sweep names the fence of its lease. */
export type ChargeDecision = {
  chargeId: string;
  fence?: number;
  /** Of a person's decision: written in the same commit, or not at all. */
  audit?: typeof auditEvent.$inferInsert;
} & (
  | { event: 'find-hold' | 'find-released'; hold: Hold }
  | {
      event: Exclude<
        DecisionEvent,
        'store-approval' | 'accept' | 'abandon' | 'store-card' | 'find-hold' | 'find-released'
      >;
    }
);

/** The events that move a charge and contain nothing else. */
const MOVES = {
  'find-nothing': { from: ['abandoned', 'releasing', 'unresolved'], to: 'absent' },
  'find-conflict': { from: ['abandoned', 'releasing', 'unresolved'], to: 'conflict' },
  'find-capture': { from: ['abandoned', 'releasing'], to: 'unresolved' },
  'give-up': { from: ['abandoned', 'releasing'], to: 'unresolved' },
  'confirm-release': { from: ['releasing'], to: 'released' },
  close: { from: ['unresolved'], to: 'absent' },
} satisfies Partial<Record<DecisionEvent, { from: ChargeState[]; to: ChargeState }>>;

export async function decideCharge(
  deps: Pick<Deps, 'env' | 'crashPoint'>,
  tx: Queryable,
  intent: IntentRow,
  decision: ChargeDecision,
): Promise<Decided> {
  const decided = await moveDecided(deps, tx, intent, decision);
  if (decision.audit && decided.result === 'applied') await tx.insert(auditEvent).values(decision.audit);
  deps.crashPoint('41-inside-decision');
  return decided;
}

async function moveDecided(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  intent: IntentRow,
  decision: ChargeDecision,
): Promise<Decided> {
  const { chargeId, fence } = decision;
  // As long as the request may still accept it, a charge is nobody else's.
  if (intent.state === 'undecided') return { result: 'unmoved' };
  const moved = async (from: ChargeState[], to: ChargeState, also?: ReturnType<typeof withHold>) =>
    answer(await moveCharge(tx, { chargeId, fence, from, to, ...(also && { also }) }));

  switch (decision.event) {
    case 'start-release':
      return answer(
        await moveCharge(tx, { chargeId, fence, from: ['abandoned'], to: 'releasing', onlyWithKey: true }),
      );
    case 'find-hold':
    case 'find-released': {
      const { hold } = decision;
      const isTaken = await isKeyTaken(tx, { chargeId, ...hold });
      if (isTaken) return moved(['abandoned', 'unresolved'], 'conflict');
      return moved(
        ['abandoned', 'unresolved'],
        decision.event === 'find-hold' ? 'releasing' : 'released',
        withHold(hold),
      );
    }
    case 'confirm-capture':
      return moved(['accepted', 'reversing'], 'captured', sql`captured_at = engine_now()`);
    case 'refuse-capture': {
      const refused = await moved(['accepted'], 'reversing');
      if (refused.result === 'applied') wake(tx, 'sweep-charges');
      return refused;
    }
    case 'confirm-reversal':
      return answer(await failCapture(tx, intent, { chargeId, fence, publicUrl: deps.env.PUBLIC_URL }));
    default: {
      const { from, to } = MOVES[decision.event];
      return moved(from, to);
    }
  }
}

const answer = (moved: boolean): Decided => ({ result: moved ? 'applied' : 'unmoved' });
