import { toDollars } from '@brightpane/contract/wire';
import { type Cents, cents, sumCents } from '@brightpane/money/cents';
import { sqlState } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import type {
  AuthoriseOutcome,
  AuthoriseRequest,
  BillingAddress,
  CardSource,
} from '../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../merchant-accounts/open-merchant-keys.ts';
import type { Approval } from './charges.queries.ts';
import type { Basket, Claimed, ClaimedCharge } from './claim.ts';
import { databaseTrouble } from './database-trouble.ts';
import { type Decided, type Decision, decide } from './decide.ts';
import { acceptanceMails } from './payment-mails.ts';
import { type Abandonment, paymentProblem } from './payments.problems.ts';
import type { StoredAnswer } from './stored-answer.ts';

/** A call that could not be finished in this time is not begun. */
const MIN_MILLISECONDS = 5_000;
const MAX_CALL_MILLISECONDS = 20_000;
/** How long a lost connection is waited for before the payer hears that we do not know. */
const CONFIRM_MILLISECONDS = 5_000;

type Approved = Extract<AuthoriseOutcome, { kind: 'approved' }>;
type Failed = Exclude<AuthoriseOutcome, Approved>;
type Tried = { charge: ClaimedCharge; approval: Approved };

/** The outcome of a claimed payment. `null`: the database did not let us find out in time. */
export type ChargedAnswer = StoredAnswer | null;

/**
 * Charges a claimed basket: a hold on each merchant account, then one commit that accepts them all, or one that
 * abandons them all. This is the only place where money is asked for, and it is asked for once per charge. The order of
 * the steps is the design: nothing is captured before the commit, and nothing is sent inside of it.
 */
export async function charge(
  deps: Deps,
  {
    basket,
    claimed,
    card,
    billing,
  }: { basket: Basket; claimed: Claimed; card: CardSource; billing: BillingAddress },
): Promise<ChargedAnswer> {
  deps.crashPoint('03-after-claim');
  const isSingle = claimed.charges.length === 1;
  const tried: Tried[] = [];
  for (const next of claimed.charges) {
    const outcome = await authorise(deps, { claimed, charge: next, card, billing });
    if (outcome.kind !== 'approved') {
      if (tried.length > 0) deps.crashPoint('18-declined-later');
      return abandon(deps, { claimed, tried, failed: { charge: next, outcome } });
    }
    tried.push({ charge: next, approval: outcome });
    if (isSingle) break;
    const stored = await settleDecision(deps, claimed, {
      event: 'store-approval',
      chargeId: next.chargeId,
      ...approvalOf(outcome),
    });
    if (stored !== 'applied') return endUnaccepted(deps, { claimed, tried, reason: stored });
    deps.crashPoint('08-after-authorised');
    deps.crashPoint('17-some-authorised');
  }
  const answer = paidAnswer(basket, tried);
  const accepted = await settleDecision(deps, claimed, {
    event: 'accept',
    approved: isSingle ? approvedCharge(tried) : null,
    answer,
    legal: legalTerms(basket, claimed),
    mails: acceptanceMails({
      lines: claimed.charges.flatMap(({ lines }) => lines),
      charges: tried.map(({ charge: { amountCents }, approval }) => ({ amountCents, ...approval })),
      receiptTo: basket.sendReceipt ? basket.payerEmail : null,
      now: deps.clock(),
    }),
  });
  if (accepted !== 'applied') return endUnaccepted(deps, { claimed, tried, reason: accepted });
  deps.crashPoint('10-after-accept');
  return answer;
}

async function authorise(
  deps: Deps,
  {
    claimed,
    charge: { accountId, amountCents, orderId, lines },
    card,
    billing,
  }: { claimed: Claimed; charge: ClaimedCharge; card: CardSource; billing: BillingAddress },
): Promise<AuthoriseOutcome> {
  const [keys] = await openMerchantKeys(deps, { accountId });
  if (claimed.millisecondsLeft() < MIN_MILLISECONDS) return { kind: 'not-sent' };
  const outcome = await deps.gateways.of(keys).authorise({
    orderId,
    amountCents,
    card,
    billing,
    ...describeLines(lines),
    millisecondsLeft: callTime(claimed),
    onProgress: (step) => deps.crashPoint(step === 'connected' ? '04-socket-open' : '05-authorise-written'),
  });
  deps.crashPoint('06-authorise-answered');
  const facts = { intentId: claimed.intentId, orderId, outcome: outcome.kind };
  if (outcome.kind === 'not-executed' && outcome.status !== 429) {
    deps.log.error({ ...facts, alert: 'merchant-keys-refused' }, 'the provider refuses our keys');
  } else deps.log.info(facts, 'authorised');
  return outcome;
}

/** What is left of the intent's time, at most as long as one call may take. */
function callTime({ millisecondsLeft }: Claimed): () => number {
  const left = millisecondsLeft();
  const others = Math.max(0, left - MAX_CALL_MILLISECONDS);
  return () => millisecondsLeft() - others;
}

const MAX_DESCRIPTION = 1000;

/** Names franchise and work order at the provider: a restored database finds its payments again by these. */
function describeLines(lines: ClaimedCharge['lines']): Pick<AuthoriseRequest, 'invoice' | 'description'> {
  const [only, ...more] = lines.map(({ invoice }) => invoice);
  const description = lines
    .map(({ invoice }) => `${invoice.franchiseId}/${invoice.workOrderNumber}`)
    .join(' ')
    .slice(0, MAX_DESCRIPTION);
  return { ...(only && more.length === 0 && { invoice: String(only.workOrderNumber) }), description };
}

function approvalOf({ transactionKey, reference, maskedCard, cardBrand }: Approved): Approval {
  return { transactionKey, reference, maskedCard, cardBrand };
}

function approvedCharge(tried: Tried[]): ({ chargeId: string } & Approval) | null {
  const last = tried.at(-1);
  return last ? { chargeId: last.charge.chargeId, ...approvalOf(last.approval) } : null;
}

function paidAnswer(basket: Basket, tried: Tried[]): StoredAnswer {
  const amount = toDollars(sumCents(tried.map(({ charge: { amountCents } }): Cents => amountCents)));
  const references = tried.map(({ approval }) => approval.reference);
  const body =
    basket.kind === 'guest' ? { amount, reference: references.join(', ') } : { amount, references };
  return { status: 200, body };
}

function legalTerms({ userId }: Basket, { charges }: Claimed) {
  if (userId === null) return null;
  const locationIds = charges.flatMap(({ lines }) => lines.map(({ invoice }) => invoice.locationId));
  return { userId, locationIds: [...new Set(locationIds)].sort((one, other) => one - other) };
}

type Unapplied = Exclude<Decided, { result: 'applied' }> | 'key-taken' | null;

/**
 * Decides, through what a database may do meanwhile. A row that an import holds is waited for until the payment's time
 * is up. When a connection broke, nobody knows whether its commit happened: deciding again locks the intent, and so
 * waits for that commit, and finds it done or not.
 */
async function settleDecision(
  deps: Deps,
  { intentId, millisecondsLeft }: Claimed,
  decision: Decision,
): Promise<'applied' | Unapplied> {
  let lostAt: number | null = null;
  for (;;) {
    try {
      const decided = await decide(deps, { intentId, decision });
      return decided.result === 'applied' ? 'applied' : decided;
    } catch (error) {
      if (sqlState(error) === '23505') return 'key-taken';
      const trouble = databaseTrouble(error);
      if (trouble === null) throw error;
      deps.log.warn({ intentId, event: decision.event, trouble }, 'the decision is tried again');
      if (trouble === 'lost') lostAt ??= performance.now();
      const isOver =
        lostAt === null ? millisecondsLeft() < 0 : performance.now() - lostAt > CONFIRM_MILLISECONDS;
      if (isOver) return null;
      await pause();
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

/** Everything was approved, and yet it cannot be accepted. */
async function endUnaccepted(
  deps: Deps,
  { claimed, tried, reason }: { claimed: Claimed; tried: Tried[]; reason: Unapplied },
): Promise<ChargedAnswer> {
  if (reason === null) return null;
  // Another transaction's key proves nothing about ours: the look-up by order id decides.
  if (reason === 'key-taken') return abandonWith(deps, { claimed, abandonment: { code: 'unclear' } });
  switch (reason.result) {
    case 'decided':
      return reason.answer;
    case 'changed': {
      const { workOrderNumber } = reason;
      const balanceCents = cents(reason.balanceCents);
      const abandonment: Abandonment = { code: 'changed-meanwhile', workOrderNumber, balanceCents };
      return abandonWith(deps, { claimed, abandonment, approved: approvedCharge(tried) });
    }
    case 'expired':
      return abandonWith(deps, {
        claimed,
        abandonment: { code: 'expired' },
        approved: approvedCharge(tried),
      });
    case 'unmoved':
      throw new Error(`intent ${claimed.intentId} could not be decided`);
  }
}

/** The first charge that failed ends the payment: what was held before it is released, what comes after it never asked. */
function abandon(
  deps: Deps,
  {
    claimed,
    tried,
    failed,
  }: { claimed: Claimed; tried: Tried[]; failed: { charge: ClaimedCharge; outcome: Failed } },
): Promise<ChargedAnswer> {
  const { charge: failedCharge, outcome } = failed;
  const holdsNothing =
    outcome.kind === 'declined' || outcome.kind === 'not-sent' || outcome.kind === 'not-executed';
  const neverAsked = claimed.charges.slice(tried.length + 1);
  const refused = [...(holdsNothing ? [failedCharge] : []), ...neverAsked].map(({ chargeId }) => chargeId);
  return abandonWith(deps, { claimed, refused, abandonment: abandonmentOf(claimed, failedCharge, outcome) });
}

function abandonmentOf(claimed: Claimed, failed: ClaimedCharge, outcome: Failed): Abandonment {
  const franchise = claimed.charges.length > 1 ? franchiseNames(failed) : null;
  switch (outcome.kind) {
    case 'not-sent':
    case 'not-executed':
      return { code: 'not-asked' };
    case 'declined':
      return { code: 'declined', sentence: outcome.sentence, franchise };
    case 'hold-possible':
      return { code: outcome.reason, franchise };
    case 'duplicate':
    case 'unknown':
      return { code: 'unclear' };
  }
}

const franchiseNames = ({ lines }: ClaimedCharge) =>
  [...new Set(lines.map(({ invoice }) => invoice.franchiseName))].join(', ');

async function abandonWith(
  deps: Deps,
  {
    claimed,
    abandonment,
    refused = [],
    approved = null,
  }: {
    claimed: Claimed;
    abandonment: Abandonment;
    refused?: string[];
    approved?: ({ chargeId: string } & Approval) | null;
  },
): Promise<ChargedAnswer> {
  const { status, body } = paymentProblem(abandonment);
  const answer = { status, body };
  const declined = abandonment.code === 'declined';
  const decision = { event: 'abandon', answer, refused, declined } as const;
  // With several accounts the approvals are stored already, and naming one again changes nothing.
  const ended = await settleDecision(deps, claimed, { ...decision, approved });
  if (ended === 'applied') return answer;
  if (ended === 'key-taken') return abandonWith(deps, { claimed, abandonment, refused });
  if (ended?.result === 'decided') return ended.answer;
  return null;
}
