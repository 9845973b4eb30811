import { type Act, type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { isKeyTaken, withHold } from './charges.queries.ts';
import type { Decided } from './decided.ts';
import { failCapture } from './fail-capture/fail-capture.ts';
import type { IntentRow } from './payments.queries.ts';
import { moveByEvent } from './run-transition.ts';
import type { ChargeEvent } from './transitions.ts';

type Hold = { transactionKey: string; reference: string };
type HoldEvent = 'find-hold' | 'find-released';

/** What the sweep or a person found out about one charge. A sweep worker passes the fence of its lease. */
export type ChargeDecision = {
  chargeId: string;
  fence?: number;
  /** For a person's decision: the audit entry, written in the same commit. */
  audit?: { by: Actor; act: Act };
} & (
  | { event: HoldEvent; hold: Hold }
  | { event: Exclude<ChargeEvent, HoldEvent | 'confirm-reversal'> }
  /** `after`: both events are one commit, where nothing has to be asked between them. */
  | { event: 'confirm-reversal'; after?: 'refuse-capture' }
);

export async function decideCharge(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  intent: IntentRow,
  decision: ChargeDecision,
): Promise<Decided> {
  const isMoved = await move(tx, decision);
  if (isMoved && decision.event === 'confirm-reversal') {
    await failCapture(tx, intent, { chargeId: decision.chargeId, publicUrl: deps.env.PUBLIC_URL });
  }
  if (isMoved && decision.audit) await recordAct(tx, decision.audit.by, decision.audit.act);
  return { result: isMoved ? 'applied' : 'unmoved' };
}

async function move(tx: Queryable, decision: ChargeDecision): Promise<boolean> {
  const { event, chargeId, fence } = decision;
  if (!('hold' in decision)) {
    if (!('after' in decision && decision.after)) return moveByEvent(tx, event, { chargeId, fence });
    if (!(await moveByEvent(tx, decision.after, { chargeId, fence }))) return false;
    if (await moveByEvent(tx, event, { chargeId, fence })) return true;
    throw new Error(`${event} does not follow ${decision.after} for charge ${chargeId}`);
  }
  const { hold } = decision;
  const isTaken = await isKeyTaken(tx, { chargeId, ...hold });
  return moveByEvent(tx, event, {
    chargeId,
    fence,
    ...(isTaken ? { isOther: true } : { also: withHold(hold) }),
  });
}
