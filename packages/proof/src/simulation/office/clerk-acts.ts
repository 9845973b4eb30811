import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../../../apps/api/src/db/client.ts';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { decideHeldRefund } from '../../../../../apps/api/src/modules/console/refunds/decide-held-refund.ts';
import { recordDispute } from '../../../../../apps/api/src/modules/console/refunds/disputes/record-dispute.ts';
import { readRefund } from '../../../../../apps/api/src/modules/console/refunds/read-refund.ts';
import { approveRefund } from '../../../../../apps/api/src/modules/console/refunds/requests/approve-refund.ts';
import { requestRefund } from '../../../../../apps/api/src/modules/console/refunds/requests/request-refund.ts';
import { withdrawRefund } from '../../../../../apps/api/src/modules/console/refunds/requests/withdraw-refund.ts';
import { sendRefundAgain } from '../../../../../apps/api/src/modules/console/refunds/send-refund-again.ts';
import type { HeldRefundDecision } from '../../../../../apps/api/src/modules/payments/refunds/plan-held-refund.ts';
import type { RequestRefundBody } from './clerk-requests.ts';
import type { Clerk } from './clerks.ts';

/** What a clerk is told; without an answer, nothing. */
export type Answer = { ok: true; requestId: string | null } | { ok: false; code: string };

/** Rolls a refused act back, as the routes do. */
class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

type Outcome<Value> = { ok: true; value: Value } | { ok: false; code: string };

async function decide<Value>(
  deps: Deps,
  work: (tx: Queryable) => Promise<Outcome<Value>>,
  requestOf: (value: Value) => string | null = () => null,
): Promise<Answer> {
  try {
    const value = await deps.db.transaction(async (tx) => {
      const outcome = await work(tx);
      if (!outcome.ok) throw new Refused(outcome.code);
      return outcome.value;
    });
    return { ok: true, requestId: requestOf(value) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, code: error.code };
    throw error;
  }
}

/** Simulations skip the second factor; rights are still checked, as in the routes. */
const confirm = async () => {};

type Key = { idemKey: string; requestHash: string };
const keyOf = (idemKey: string, body: unknown): Key => ({ idemKey, requestHash: JSON.stringify(body) });

export function ask(
  deps: Deps,
  { caller }: Clerk,
  { paymentId, idemKey, body }: { paymentId: string; idemKey: string; body: RequestRefundBody },
): Promise<Answer> {
  const asked = { caller, paymentId, ...keyOf(idemKey, body), body, confirm };
  return decide(
    deps,
    (tx) => requestRefund(deps, tx, asked),
    ({ requestId }) => requestId,
  );
}

export function askAgain(
  deps: Deps,
  { caller }: Clerk,
  { refundId, idemKey }: { refundId: string; idemKey: string },
): Promise<Answer> {
  const asked = { caller, refundId, ...keyOf(idemKey, { refundId }), confirm };
  return decide(
    deps,
    (tx) => sendRefundAgain(deps, tx, asked),
    ({ requestId }) => requestId,
  );
}

export const approve = (deps: Deps, { caller }: Clerk, refundId: string): Promise<Answer> =>
  decide(deps, (tx) => approveRefund(deps, tx, { caller, refundId, confirm }));

export const withdraw = (deps: Deps, { caller }: Clerk, refundId: string): Promise<Answer> =>
  decide(deps, (tx) => withdrawRefund(deps, tx, { caller, refundId, note: 'Paid back otherwise.' }));

/** Before **Keep asking** it reads the page, whose version that needs. */
export async function review(
  deps: Deps,
  { caller }: Clerk,
  given: { refundId: string; decision: HeldRefundDecision; transactionKey?: string | undefined },
): Promise<Answer> {
  const { refundId, decision } = given;
  const read = () => readRefund(deps.db.query, { actorId: caller.id, refundId });
  const page = decision === 'keep-asking' ? await read() : undefined;
  const decided = await decideHeldRefund(deps, {
    caller,
    ...given,
    version: page?.ok ? page.value.version : undefined,
    note: 'Looked at.',
    requireFactor: () => {},
    confirm,
  });
  return decided.ok ? { ok: true, requestId: null } : { ok: false, code: decided.code };
}

export function dispute(
  deps: Deps,
  { caller }: Clerk,
  {
    chargeId,
    amountCents,
  }: { chargeId: string; amountCents: Parameters<typeof recordDispute>[1]['amountCents'] },
): Promise<Answer> {
  const opened = { chargeId, amountCents, openedOn: '2026-11-20', answerBy: null, note: null };
  return decide(deps, async (tx) => {
    const recorded = await recordDispute(tx, { caller, ...opened });
    return recorded.ok ? recorded : { ok: false, code: recorded.code };
  });
}

export const newKey = () => randomUUID();
