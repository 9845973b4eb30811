import type { Payment } from '@brightpane/contract/invoices/invoices';
import type { Cents } from '@brightpane/money/cents';
import { type InvoiceTotals, sumTotals } from '@brightpane/money/invoice-totals';
import { type TipPreset, tableTipBase, tipFor } from '@brightpane/money/tips';
import type { ServicesDraft } from './payable/additional-services.tsx';
import { type DraftLine, NEW_LINE } from './payable/draft-line.ts';
import { type Payable, payableTotals } from './payable/payable.ts';
import type { WorkToAccept } from './payable/terms/work-to-accept.ts';

/**
 * What a customer has selected and typed but not paid. All views share it; each shows, counts and sends only the
 * invoices that it lists.
 */
export type PaymentDraft = {
  /** By invoice key; untouched invoices have no line. */
  lines: Readonly<Record<string, DraftLine>>;
  paymentMethodId: string | null;
  sendReceipt: boolean;
  /** The work for which the terms were accepted. Different work needs a new acceptance. */
  termsAcceptedFor: WorkToAccept | null;
};

const OF_ONE_PAYMENT = { sendReceipt: true, termsAcceptedFor: null };

export const NEW_DRAFT: PaymentDraft = { lines: {}, paymentMethodId: null, ...OF_ONE_PAYMENT };

export type DraftChange =
  | { type: 'select'; keys: readonly string[]; isSelected: boolean }
  | {
      type: 'tip';
      tips: readonly (readonly [key: string, tipCents: Cents, unclearTip?: string | undefined])[];
    }
  | { type: 'services'; key: string; services: ServicesDraft }
  | { type: 'choose-card'; paymentMethodId: string | null }
  | { type: 'send-receipt'; sendReceipt: boolean }
  | { type: 'accept-terms'; acceptedFor: WorkToAccept | null }
  | { type: 'paid'; keys: readonly string[] }
  /** An earlier payment has paid these, with what was added to them. They stay selected: something is due again. */
  | { type: 'paid-earlier'; keys: readonly string[] }
  /** These are all the unpaid invoices there are. */
  /** `isRefused`: the last press was answered, and paid nothing. */
  | { type: 'listed'; payables: readonly Payable[]; isRefused?: boolean };

/** Unchanged lines keep their identity, so that their rows don't render again. */
export function changeDraft(draft: PaymentDraft, change: DraftChange): PaymentDraft {
  switch (change.type) {
    case 'select':
      return withLines(
        draft,
        change.keys.map((key) => [key, { isSelected: change.isSelected }]),
      );
    case 'tip':
      return withLines(
        draft,
        change.tips.map(([key, tipCents, unclearTip]) => [key, { tipCents, unclearTip }]),
      );
    case 'services':
      return withLines(draft, [[change.key, { services: change.services }]]);
    case 'choose-card':
      return { ...draft, paymentMethodId: change.paymentMethodId };
    case 'send-receipt':
      return { ...draft, sendReceipt: change.sendReceipt };
    case 'accept-terms':
      return { ...draft, termsAcceptedFor: change.acceptedFor };
    case 'paid': {
      const paid = new Set(change.keys);
      const left = onlyLines(draft, (key) => !paid.has(key));
      return left === draft ? draft : { ...left, ...OF_ONE_PAYMENT };
    }
    case 'paid-earlier':
      return withLines(
        draft,
        change.keys.map((key) => [key, { ...NEW_LINE, isSelected: lineOf(draft, key).isSelected }]),
      );
    case 'listed':
      return listed(draft, change);
  }
}

/**
 * Forgets invoices that are due no more. If one was selected, the draft may have been paid without an answer. What was
 * meant for that payment is then forgotten, unless it was refused, as after any other, and so is what was added to a selected invoice that shows
 * a tip or services as paid, so as not to be paid again.
 */
function listed(
  draft: PaymentDraft,
  { payables, isRefused = false }: Extract<DraftChange, { type: 'listed' }>,
): PaymentDraft {
  const due = new Set(payables.map(({ key }) => key));
  const left = onlyLines(draft, (key) => due.has(key));
  const mayBePaid = Object.entries(draft.lines).some(([key, { isSelected }]) => isSelected && !due.has(key));
  if (!mayBePaid) return left;
  const paid = payables.filter(
    ({ key, invoice }) => lineOf(left, key).isSelected && invoice.payments.some(hasAdditions),
  );
  return changeDraft(isRefused ? left : { ...left, ...OF_ONE_PAYMENT }, {
    type: 'paid-earlier',
    keys: paid.map(({ key }) => key),
  });
}

function hasAdditions({ tipAmount, additionalServiceAmount }: Payment): boolean {
  return tipAmount !== 0 || additionalServiceAmount !== 0;
}

function onlyLines(draft: PaymentDraft, isKept: (key: string) => boolean): PaymentDraft {
  const all = Object.entries(draft.lines);
  const kept = all.filter(([key]) => isKept(key));
  return kept.length === all.length ? draft : { ...draft, lines: Object.fromEntries(kept) };
}

function withLines(draft: PaymentDraft, changes: [key: string, change: Partial<DraftLine>][]): PaymentDraft {
  const lines = { ...draft.lines };
  for (const [key, change] of changes) lines[key] = { ...lineOf(draft, key), ...change };
  return { ...draft, lines };
}

export function lineOf({ lines }: Pick<PaymentDraft, 'lines'>, key: string): DraftLine {
  return lines[key] ?? NEW_LINE;
}

/**
 * The invoices of this list that would be paid now, and their totals. They can be paid if there are any, every
 * amount is valid and no credit uses up a whole invoice.
 */
export function selectedOf(
  draft: Pick<PaymentDraft, 'lines'>,
  payables: readonly Payable[],
): { payables: Payable[]; totals: InvoiceTotals; isPayable: boolean } {
  const selected = payables.filter(({ key }) => lineOf(draft, key).isSelected);
  const each = selected.map((payable) => payableTotals(payable, lineOf(draft, payable.key)));
  const isPayable =
    each.length > 0 &&
    each.every(({ totalBeforeTipCents }) => totalBeforeTipCents > 0) &&
    selected.every((payable) => isClear(payable, lineOf(draft, payable.key)));
  return { payables: selected, totals: sumTotals(each), isPayable };
}

function isClear({ invoice }: Payable, { services, unclearTip }: DraftLine): boolean {
  return !services.unclear && (!unclearTip || !invoice.tipsEnabled);
}

/** The whole table's tip buttons: a percentage of the full balance of each invoice that takes tips. */
export function tableTips(payables: readonly Payable[], preset: TipPreset): [key: string, tipCents: Cents][] {
  return payables
    .filter(({ invoice }) => invoice.tipsEnabled)
    .map(({ key, amounts }) => [key, tipFor(tableTipBase(amounts), preset)]);
}
