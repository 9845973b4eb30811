import { cents, sumCents } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import {
  type AuthorizeOutcome,
  type AuthorizeRequest,
  type BillingAddress,
  type CardSource,
  LONGEST_DESCRIPTION,
} from '../../../gateway/payment-gateway.ts';
import type { AcceptedTerms } from '../../terms/terms.queries.ts';
import type { Approval, ApprovedCharge } from '../engine/charges.queries.ts';
import { decideUntilKnown, type KnownEnd } from '../engine/decide-until-known.ts';
import { describeWorkOrders } from '../engine/describe-work-orders.ts';
import type { Paid, StoredOutcome } from '../engine/outcomes.ts';
import { abandonmentOf, abandonPayment, type FailedOutcome, holdsNothing } from './abandon-payment.ts';
import { authorizeCharge } from './authorize-charge.ts';
import type { Claimed, ClaimedCharge, Payment } from './claim.ts';
import { acceptanceMails, unmailedCredits } from './payment-mails.ts';

type Held = { charge: ClaimedCharge; approval: Approval };
type ClaimedPayment = { payment: Payment; claimed: Claimed; card: CardSource; billing: BillingAddress };

/**
 * Charges a claimed payment: one hold per merchant account, then one commit that accepts them all or abandons them all.
 * Only this function asks for a payment's money, and it asks once for each charge.
 * The order of the steps is the design: nothing is captured before the commit, and nothing is sent inside it. `null`:
 * the database didn't let us find out how the payment ended.
 */
export async function charge(deps: Deps, begun: ClaimedPayment): Promise<StoredOutcome | null> {
  const { payment, claimed } = begun;
  const chargeIds = claimed.charges.map(({ chargeId }) => chargeId);
  deps.log.info({ intentId: claimed.intentId, chargeIds }, 'payment begun');
  const isSingle = claimed.charges.length === 1;
  const held: Held[] = [];
  for (const next of claimed.charges) {
    const outcome = await authorize(deps, { ...begun, charge: next });
    if (outcome.kind !== 'approved') {
      return abandon(deps, { claimed, failed: next, outcome });
    }
    held.push({ charge: next, approval: outcome });
    if (isSingle) break;
    const stored = await decideUntilKnown(deps, claimed, { event: 'store-approval', ...approved(held) });
    if (stored !== 'applied') return endUnaccepted(deps, { payment, claimed, held, reason: stored });
  }

  const outcome = paidOutcome(held);
  const accepted = await decideUntilKnown(deps, claimed, {
    event: 'accept',
    approved: isSingle ? approved(held) : null,
    outcome,
    legal: legalTerms(payment, claimed),
    mails: (acceptedAt) =>
      acceptanceMails({
        lines: claimed.charges.flatMap(({ chargeId, lines }) => lines.map((line) => ({ ...line, chargeId }))),
        charges: held.map(({ charge: { amountCents }, approval }) => ({ amountCents, ...approval })),
        receiptUrl: payment.userId === null ? null : `${deps.env.PUBLIC_URL}/payments/${claimed.intentId}`,
        receiptTo: payment.sendReceipt ? payment.payerEmail : null,
        acceptedAt,
      }),
    unmailedCredits: unmailedCredits(claimed.charges),
  });
  if (accepted !== 'applied') return endUnaccepted(deps, { payment, claimed, held, reason: accepted });
  return outcome;
}

function authorize(
  deps: Deps,
  { claimed, charge, card, billing }: ClaimedPayment & { charge: ClaimedCharge },
): Promise<AuthorizeOutcome> {
  const { keys, amountCents, orderId, lines } = charge;
  const request = { orderId, amountCents, card, billing, ...describeLines(lines) };
  return authorizeCharge(deps, { begun: claimed, keys, request });
}

function describeLines(lines: ClaimedCharge['lines']): Pick<AuthorizeRequest, 'invoice' | 'description'> {
  const invoices = lines.map(({ invoice }) => invoice);
  const [only, ...more] = invoices;
  const description = describeWorkOrders(invoices, LONGEST_DESCRIPTION);
  return { ...(only && more.length === 0 && { invoice: String(only.workOrderNumber) }), description };
}

/** The approval of the latest hold. */
function approved(held: Held[]): ApprovedCharge {
  const last = held.at(-1);
  if (!last) throw new Error('nothing is held');
  const { transactionKey, reference, maskedCard, cardBrand } = last.approval;
  return { chargeId: last.charge.chargeId, transactionKey, reference, maskedCard, cardBrand };
}

function paidOutcome(held: Held[]): Paid {
  const amountCents = sumCents(held.map((each) => each.charge.amountCents));
  return { code: 'paid', amountCents, references: held.map((each) => each.approval.reference) };
}

function legalTerms(
  { userId, termsVersion: version, askAgainSince }: Payment,
  { charges }: Claimed,
): AcceptedTerms {
  const locationIds = charges.flatMap(({ lines }) => lines.map(({ invoice }) => invoice.locationId));
  return { userId, version, askAgainSince, locationIds: [...new Set(locationIds)] };
}

/** The first failed charge ends the payment: earlier holds are released, later ones are never asked for. */
function abandon(
  deps: Deps,
  { claimed, failed, outcome }: { claimed: Claimed; failed: ClaimedCharge; outcome: FailedOutcome },
): Promise<StoredOutcome | null> {
  const { charges } = claimed;
  const neverAsked = charges.slice(charges.indexOf(failed) + 1);
  const refused = [...(holdsNothing(outcome) ? [failed] : []), ...neverAsked].map((each) => each.chargeId);
  const franchise = charges.length > 1 ? franchiseNames(failed) : null;
  const abandonment = abandonmentOf(outcome, { franchise, isHeld: failed !== charges[0] });
  return abandonPayment(deps, { begun: claimed, refused, abandonment });
}

const franchiseNames = ({ lines }: ClaimedCharge) =>
  [...new Set(lines.map(({ invoice }) => invoice.franchiseName))].join(', ');

/** Ends a payment that can't be accepted although every hold so far was approved. */
async function endUnaccepted(
  deps: Deps,
  {
    payment,
    claimed,
    held,
    reason,
  }: { payment: Payment; claimed: Claimed; held: Held[]; reason: Exclude<KnownEnd, 'applied'> },
): Promise<StoredOutcome | null> {
  if (reason === null) return null;
  const { charges } = claimed;
  const refused = charges.slice(held.length).map((each) => each.chargeId);
  if (reason === 'key-taken') {
    return abandonPayment(deps, { begun: claimed, refused, abandonment: { code: 'unclear' } });
  }
  switch (reason.result) {
    case 'decided':
      return reason.outcome;
    case 'changed': {
      const { workOrderNumber } = reason;
      const balanceCents = cents(reason.balanceCents);
      return abandonPayment(deps, {
        begun: claimed,
        refused,
        abandonment: payment.isStranger
          ? { code: 'changed-unseen' }
          : { code: 'changed-meanwhile', workOrderNumber, balanceCents },
        approved: approved(held),
      });
    }
    case 'expired':
      return abandonPayment(deps, {
        begun: claimed,
        refused,
        abandonment: { code: 'expired' },
        approved: approved(held),
      });
    case 'unmoved':
      throw new Error(`payment ${claimed.intentId} could not be decided`);
  }
}
