import { type Queryable, retryConflicts } from '../../../db/client.ts';
import { inLastTrip, inOneTrip } from '../../../db/statements/in-one-trip.ts';
import type { Deps } from '../../../deps.ts';
import { type MailToQueue, queueMail } from '../../../mail/queue-mail.queries.ts';
import { insertPaymentMethod } from '../../payment-methods/payment-methods.queries.ts';
import { type AcceptedTerms, acceptForLocations } from '../../terms/terms.queries.ts';
import { type ApprovedCharge, isApprovalStored, withApproval } from './charges.queries.ts';
import { insertUnmailedCredits, type UnmailedCredit } from './credits.queries.ts';
import { type ChargeDecision, decideCharge } from './decide-charge.ts';
import type { Decided } from './decided.ts';
import type { StoredOutcome } from './outcomes.ts';
import { freeClaims, type IntentRow, readAcceptance, storeDecision } from './payments.queries.ts';
import {
  abandonAll,
  acceptAll,
  closedFor,
  decidedState,
  lockFor,
  moveAlone,
  moveByEvent,
} from './run-transition.ts';
import { transitionOf } from './transitions.ts';

/** What was observed about a payment, with all that its commit needs. For events and states see `transitions.ts`. */
export type Decision =
  | ({ event: 'store-approval' } & ApprovedCharge)
  | {
      event: 'accept';
      /**
       * Approval of the one charge that doesn't store it yet; `null` with several charges, as each has stored its own.
       */
      approved: ApprovedCharge | null;
      outcome: StoredOutcome;
      legal: AcceptedTerms | null;
      /** Made for the instant of the acceptance. */
      mails: (acceptedAt: string) => MailToQueue[];
      unmailedCredits?: UnmailedCredit[];
    }
  | {
      event: 'abandon';
      outcome: StoredOutcome;
      /** Charges proved to hold nothing. */
      refused: readonly string[];
      declined?: boolean;
      /** A hold that is known but not stored yet. */
      approved?: ApprovedCharge | null;
      /** Set by everyone but the payment's own request: others may end it only after its deadline. */
      onlyIfExpired?: boolean;
    }
  | {
      event: 'store-card';
      approved: ApprovedCharge;
      card: { id: string; userId: string; sealedToken: string; expiresMonth: string | null };
      outcome: StoredOutcome;
    }
  | ChargeDecision;

export type DecideDeps = Pick<Deps, 'db' | 'env' | 'log'>;

/**
 * The only place where a payment changes state. Locks the payment first and makes each event's whole effect one commit,
 * so that the request, the sweep and a person can race: the first decides, the others find it decided.
 */
export async function decide(
  deps: DecideDeps,
  { intentId, decision }: { intentId: string; decision: Decision },
): Promise<Decided> {
  const decided = isAlone(decision)
    ? await decideAlone(deps, intentId, decision)
    : await decideTogether(deps, intentId, decision);
  const chargeId = 'chargeId' in decision ? decision.chargeId : undefined;
  deps.log.info({ intentId, chargeId, event: decision.event, result: decided.result }, 'payment');
  return decided;
}

const isAlone = (decision: Decision): decision is ChargeDecision =>
  transitionOf(decision.event).isAlone === true && !('audit' in decision && decision.audit);

/** One statement, which locks the payment and changes nothing unless it is decided. */
async function decideAlone(
  { db }: DecideDeps,
  intentId: string,
  { event, chargeId, fence }: ChargeDecision,
): Promise<Decided> {
  const isMoved = await retryConflicts(() => moveAlone(db.query, event, { intentId, chargeId, fence }));
  return { result: isMoved ? 'applied' : 'unmoved' };
}

function decideTogether(deps: DecideDeps, intentId: string, decision: Decision): Promise<Decided> {
  return deps.db.briefTransaction(async (tx) => {
    const [intent, acceptance] = await inOneTrip(tx, [
      () => lockFor(tx, intentId, decision.event),
      async () => (decision.event === 'accept' ? readAcceptance(tx, intentId) : undefined),
    ]);
    return closedFor(intent, decision.event) ?? apply(deps, tx, { ...intent, acceptance }, decision);
  });
}

/** A payment under its locks; for an acceptance, with what it goes by. */
type Locked = IntentRow & { acceptance: Awaited<ReturnType<typeof readAcceptance>> | undefined };

function apply(deps: DecideDeps, tx: Queryable, intent: Locked, decision: Decision): Promise<Decided> {
  switch (decision.event) {
    case 'store-approval':
      return storeApproval(tx, decision);
    case 'accept':
      return accept(tx, intent, decision);
    case 'abandon':
      return abandon(tx, intent, decision);
    case 'store-card':
      return storeCard(tx, intent, decision);
    default:
      return decideCharge(deps, tx, intent, decision);
  }
}

type Of<Event extends Decision['event']> = Extract<Decision, { event: Event }>;

async function storeApproval(tx: Queryable, decision: Of<'store-approval'>): Promise<Decided> {
  const { event, chargeId } = decision;
  const moved = await moveByEvent(tx, event, { chargeId, also: withApproval(decision) });
  // A retry after a lost commit answer finds the approval already stored.
  return { result: moved || (await isApprovalStored(tx, decision)) ? 'applied' : 'unmoved' };
}

async function accept(tx: Queryable, intent: Locked, decision: Of<'accept'>): Promise<Decided> {
  const { acceptance } = intent;
  if (intent.kind === 'card' || !acceptance) return { result: 'unmoved' };
  const { at, changed } = acceptance;
  if (changed) return { result: 'changed', ...changed };

  const { legal, mails, unmailedCredits = [] } = decision;
  // The COMMIT may have left with these: `keep_decided_intent` refuses it unless all charges are accepted (decision 76).
  const [areAccepted] = await inLastTrip(tx, [
    () => acceptAll(tx, { intentId: intent.id, at, approved: decision.approved, legal }),
    async () => legal && (await acceptForLocations(tx, { ...legal, intentId: intent.id })),
    () =>
      storeDecision(tx, { intentId: intent.id, state: decidedState('accept'), outcome: decision.outcome }),
    async () => unmailedCredits.length > 0 && (await insertUnmailedCredits(tx, unmailedCredits)),
    ...mails(at).map((mail) => () => queueMail(tx, { ...mail, intentId: intent.id })),
  ]);
  if (!areAccepted) throw new Error(`payment ${intent.id} has charges that are not authorised`);
  return { result: 'applied' };
}

async function abandon(tx: Queryable, intent: IntentRow, decision: Of<'abandon'>): Promise<Decided> {
  if (decision.onlyIfExpired && !intent.isExpired) return { result: 'unmoved' };
  if (decision.approved) {
    const { chargeId } = decision.approved;
    const also = withApproval(decision.approved);
    await moveByEvent(tx, 'store-approval', { chargeId, also });
  }
  await abandonAll(tx, { intentId: intent.id, refused: decision.refused });
  await freeClaims(tx, { intentId: intent.id });
  const state = decidedState('abandon', { isDeclined: decision.declined });
  await storeDecision(tx, { intentId: intent.id, state, outcome: decision.outcome });
  return { result: 'applied' };
}

async function storeCard(tx: Queryable, intent: IntentRow, decision: Of<'store-card'>): Promise<Decided> {
  const { event, approved, card } = decision;
  const { chargeId } = approved;
  const isHeld =
    intent.kind === 'card' && (await moveByEvent(tx, event, { chargeId, also: withApproval(approved) }));
  if (!isHeld) return { result: 'unmoved' };
  await insertPaymentMethod(tx, {
    ...card,
    chargeId,
    maskedCard: approved.maskedCard,
    brand: approved.cardBrand,
  });
  await storeDecision(tx, { intentId: intent.id, state: decidedState(event), outcome: decision.outcome });
  return { result: 'applied' };
}
