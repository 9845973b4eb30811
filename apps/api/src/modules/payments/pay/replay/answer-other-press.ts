import { type Cents, cents, sumCents } from '@brightpane/money/cents';
import type { Deps } from '../../../../deps.ts';
import { readPayableInvoices, type WorkOrderNumbers } from '../../../invoices/payable-invoices.queries.ts';
import type { StoredOutcome } from '../../engine/outcomes.ts';
import { findPricedVersions, type PricedVersion } from '../../engine/payments.queries.ts';
import type { Refusal } from '../payments.problems.ts';

/** What somebody saw who pressed Pay. */
export type Press = {
  userId: string | null;
  lines: readonly (WorkOrderNumbers & { version?: number | undefined })[];
  /** Whether they may hear what is due; a guest's payment knows the zip code that it was begun with. */
  mayHearBalance: (zipKeyShown: string | null) => Promise<boolean>;
};

/**
 * What a press hears whose key was answered for other versions of its invoices: what became of the earlier press, and
 * what is due now. Nothing is charged for it. `null`: it is a replay.
 */
export async function answerOtherPress(
  deps: Deps,
  earlier: { intentId: string; outcome: StoredOutcome; zipKeyShown: string | null },
  press: Press,
): Promise<Refusal | null> {
  const { intentId, outcome, zipKeyShown } = earlier;
  if (press.lines.every(({ version }) => version === undefined)) return null;
  const priced = await findPricedVersions(deps.db.query, intentId);
  if (press.lines.every((line) => sawAsPriced(line, priced))) return null;
  const due = async () => ((await press.mayHearBalance(zipKeyShown)) ? dueNow(deps, priced, press) : null);
  if (outcome.code === 'paid') {
    const { amountCents: paidCents, references } = outcome;
    return { code: 'paid-earlier', paidCents, references, dueCents: await due() };
  }
  if (!isNotCharged(outcome)) return null;
  return { code: 'not-paid-earlier', dueCents: await due() };
}

function isNotCharged(outcome: StoredOutcome): boolean {
  if (outcome.code === 'told-before') return outcome.body.errors.some(({ code }) => code === 'NotCharged');
  return outcome.code !== 'card-added' && outcome.code !== 'capture-failed';
}

/** A press without a version saw nothing in particular. */
function sawAsPriced(
  { franchiseId, workOrderNumber, version }: Press['lines'][number],
  priced: PricedVersion[],
): boolean {
  const own = priced.find(
    (each) => each.franchiseId === franchiseId && each.workOrderNumber === workOrderNumber,
  );
  return version === undefined || own?.version === version;
}

/** `null` where the invoices are not the payer's any more. */
async function dueNow(deps: Deps, priced: PricedVersion[], press: Press): Promise<Cents | null> {
  const invoiceIds = priced.map(({ invoiceId }) => invoiceId);
  const invoices = await readPayableInvoices(deps.db.query, {
    invoiceIds,
    userId: press.userId,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
  });
  if (invoices.length < priced.length) return null;
  return sumCents(invoices.map(({ balanceCents }) => cents(balanceCents)));
}
