import { type Cents, cents, sumCents } from '@brightpane/money/cents';
import type { Deps } from '../../../../deps.ts';
import { readPayableInvoices, type WorkOrderNumbers } from '../../../invoices/payable-invoices.queries.ts';
import { isNotCharged, type StoredOutcome, tellsOfPending } from '../../engine/outcomes.ts';
import { findPricedVersions, type PricedVersion } from '../../engine/payments.queries.ts';
import type { Refusal } from '../payments.problems.ts';
import { doubtNotCharged } from './doubt-not-charged.ts';

/** What the payer saw when pressing Pay. */
export type Press = {
  userId: string | null;
  lines: readonly (WorkOrderNumbers & { version?: number | undefined })[];
  /** Whether the payer may learn what is due; for a guest, the zip code stored with the first payment decides. */
  mayHearBalance: (zipKeyShown: string | null) => Promise<boolean>;
};

type Earlier = { intentId: string; outcome: StoredOutcome; zipKeyShown: string | null };

/**
 * Answers a press of a used key whose stored outcome isn't the answer: "not charged" is in doubt by now, or the key was
 * used for other versions of its invoices. Tells how the earlier press ended and what is due now. Charges nothing.
 * `null`: it is a replay.
 */
export async function answerOtherPress(
  deps: Deps,
  { intentId, outcome, zipKeyShown }: Earlier,
  press: Press,
): Promise<Refusal | null> {
  const doubt = await doubtNotCharged(deps, { intentId, outcome });
  const isOfOtherVersions = press.lines.some(({ version }) => version !== undefined);
  if (doubt?.kind === 'unconfirmed') return { code: 'unconfirmed' };
  if (doubt?.kind === 'unchecked') return { code: 'payment-found', workOrderNumber: doubt.workOrderNumber };
  if (!doubt && !isOfOtherVersions) return null;
  const priced = await findPricedVersions(deps.db.query, intentId);
  const due = async () => ((await press.mayHearBalance(zipKeyShown)) ? dueNow(deps, priced, press) : null);
  if (doubt) return { code: 'checked-earlier', dueCents: await due() };
  if (press.lines.every((line) => sawAsPriced(line, priced))) return null;
  if (outcome.code === 'paid') {
    const { amountCents: paidCents, references } = outcome;
    return { code: 'paid-earlier', paidCents, references, dueCents: await due() };
  }
  if (!isNotCharged(outcome)) return null;
  return { code: 'not-paid-earlier', dueCents: await due(), mayBePending: tellsOfPending(outcome) };
}

/** A press without a version matches whatever was priced. */
function sawAsPriced(
  { franchiseId, workOrderNumber, version }: Press['lines'][number],
  priced: PricedVersion[],
): boolean {
  const own = priced.find(
    (each) => each.franchiseId === franchiseId && each.workOrderNumber === workOrderNumber,
  );
  return version === undefined || own?.version === version;
}

/** `null`: the invoices no longer belong to the payer. */
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
