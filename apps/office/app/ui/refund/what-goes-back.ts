import type { RefundableWorkOrder } from '@brightpane/contract/office/refunds';
import { MAX_AMOUNT, toDollars, typedDollars } from '@brightpane/contract/wire';
import { type Cents, cents, ZERO } from '@brightpane/money/cents';
import { type RefundParts, refundableCents, spreadRefund } from '@brightpane/money/spread-refund';
import { inCents } from '../fields/in-cents.ts';
import { typedAmount } from '../fields/typed-amount.ts';

const SHORTCUTS = ['whole', 'invoice', 'tip', 'services', 'overpaid', 'amount'] as const;
export type Shortcut = (typeof SHORTCUTS)[number];
export type Effect = 'due-again' | 'credited';

/** The dialog's values. */
export type Draft = {
  shortcut: Shortcut;
  workOrder: string;
  /** Dollars as typed. */
  amount: string;
  services: string;
  effect: Effect | null;
};

export type Rests = {
  franchiseId: number;
  workOrderNumber: number;
  parts: RefundParts;
  tipCents: Cents;
  overpaidCents: Cents;
  excessTaxCents: Cents;
  /** Paid beyond the amount, copied credits of payers included. */
  excessCents: Cents;
};

/** One work order of the request. An invalid amount is sent as typed, so that the server says what is wrong. */
export type SentLine = {
  franchiseId: number;
  workOrderNumber: number;
  amount?: number | string;
  services?: number | string;
  tip?: number | string;
  effect?: Effect;
};

/** The parts that the server will compute for one work order. */
export type PreviewedLine = {
  franchiseId: number;
  workOrderNumber: number;
  parts: RefundParts;
  tipCents: Cents;
  totalCents: Cents;
  /** Falls due again unless it is credited. */
  dueCents: Cents;
  needsEffect: boolean;
};

export const keyOf = ({
  franchiseId,
  workOrderNumber,
}: Pick<Rests, 'franchiseId' | 'workOrderNumber'>): string => `${franchiseId}/${workOrderNumber}`;

export function restsOf(row: RefundableWorkOrder): Rests {
  const { franchiseId, workOrderNumber } = row;
  return {
    franchiseId,
    workOrderNumber,
    parts: {
      invoiceCents: inCents(row.invoice),
      taxCents: inCents(row.tax),
      servicesCents: inCents(row.services),
      servicesTaxCents: inCents(row.servicesTax),
    },
    tipCents: inCents(row.tip),
    overpaidCents: inCents(row.overpaid),
    excessTaxCents: inCents(row.overpaidTax),
    excessCents: inCents(row.excess ?? row.overpaid),
  };
}

export const leftCents = ({ parts, tipCents }: Rests): Cents => cents(refundableCents(parts) + tipCents);

const servicesCents = ({ parts }: Rests): Cents =>
  cents(Math.max(0, parts.servicesCents + parts.servicesTaxCents));

/** The overpayment, limited to what is left of this payment's invoice and tax, and of its cash: a credit is none. */
const returnableCents = ({ parts, overpaidCents }: Rests): Cents =>
  cents(Math.min(overpaidCents, parts.invoiceCents + parts.taxCents, refundableCents(parts)));

/** The most that a shortcut can refund of a work order. */
export function mostCents(shortcut: Shortcut, rests: Rests): Cents {
  switch (shortcut) {
    case 'tip':
      return rests.tipCents;
    case 'services':
      return servicesCents(rests);
    case 'overpaid':
      return returnableCents(rests);
    case 'amount':
      return refundableCents(rests.parts);
    case 'whole':
    case 'invoice':
      return leftCents(rests);
  }
}

export const hasServices = (rests: Rests): boolean => servicesCents(rests) > 0;

/** The shortcuts that can refund something of this payment. */
export function shortcutsOf(all: Rests[]): Shortcut[] {
  const isThere = (shortcut: Shortcut) => all.some((rests) => mostCents(shortcut, rests) > 0);
  return SHORTCUTS.filter((each) => (each === 'invoice' ? all.length > 1 : isThere(each)));
}

const selectedOf = (all: Rests[], { shortcut, workOrder }: Draft): Rests[] =>
  shortcut === 'whole' ? all : all.filter((rests) => keyOf(rests) === workOrder);

export const linesToSend = (all: Rests[], draft: Draft): SentLine[] =>
  selectedOf(all, draft).map((rests) => {
    const { franchiseId, workOrderNumber } = rests;
    return { franchiseId, workOrderNumber, ...amountsToSend(rests, draft) };
  });

function amountsToSend(rests: Rests, draft: Draft): Partial<SentLine> {
  const amount = typedAmount(draft.amount);
  const effect = draft.effect === null ? {} : { effect: draft.effect };
  switch (draft.shortcut) {
    case 'whole':
    case 'invoice':
      return { ...allThatWasShown(rests), ...effect };
    case 'tip':
      return { tip: amount };
    case 'services':
      return { amount, services: amount };
    case 'overpaid':
      return { amount, effect: 'due-again', ...(hasServices(rests) && { services: 0 }) };
    case 'amount':
      return {
        amount,
        ...effect,
        ...(draft.services.trim() !== '' && { services: typedAmount(draft.services) }),
      };
  }
}

/**
 * By amounts, so that no more goes back than was shown: without them the server refunds all that is left by then, and a
 * refund that came to nothing meanwhile leaves more. Only what is too much for an amount is sent without.
 */
function allThatWasShown({ parts, tipCents }: Rests): Partial<SentLine> {
  const amountCents = refundableCents(parts);
  if (amountCents > MAX_AMOUNT || tipCents > MAX_AMOUNT) return {};
  return {
    ...(amountCents > 0 && { amount: toDollars(amountCents) }),
    ...(tipCents > 0 && { tip: toDollars(tipCents) }),
  };
}

/** The refund by the server's own formula; null while the typed amount is invalid or more than is left. */
export function previewOf(all: Rests[], draft: Draft): PreviewedLine[] | null {
  const lines = selectedOf(all, draft).map((rests) => previewLine(rests, draft));
  const known = lines.filter((line) => line !== null);
  return known.length === 0 || known.length < lines.length ? null : known;
}

const NOTHING: RefundParts = {
  invoiceCents: ZERO,
  taxCents: ZERO,
  servicesCents: ZERO,
  servicesTaxCents: ZERO,
};

function previewLine(rests: Rests, draft: Draft): PreviewedLine | null {
  const { shortcut, effect } = draft;
  if (shortcut === 'whole' || shortcut === 'invoice') {
    const amountCents = refundableCents(rests.parts);
    return spreadLine(rests, { amountCents, tipCents: rests.tipCents, effect });
  }
  const typed = typedDollars(draft.amount);
  if (typed === null || typed <= 0 || typed > mostCents(shortcut, rests)) return null;
  switch (shortcut) {
    case 'tip':
      return spreadLine(rests, { amountCents: ZERO, tipCents: typed, effect: null });
    case 'services':
      return spreadLine(rests, { amountCents: typed, servicesCents: typed, effect: null });
    case 'overpaid':
      return spreadLine(rests, {
        amountCents: typed,
        ...(hasServices(rests) && { servicesCents: ZERO }),
        effect: 'due-again',
      });
    case 'amount': {
      if (draft.services.trim() === '') return spreadLine(rests, { amountCents: typed, effect });
      const servicesCents = typedDollars(draft.services);
      return servicesCents === null ? null : spreadLine(rests, { amountCents: typed, servicesCents, effect });
    }
  }
}

function spreadLine(
  rests: Rests,
  given: { amountCents: Cents; servicesCents?: Cents; tipCents?: Cents; effect: Effect | null },
): PreviewedLine | null {
  const { amountCents, servicesCents, tipCents = ZERO, effect } = given;
  const { franchiseId, workOrderNumber, overpaidCents: cashCents, excessTaxCents } = rests;
  const parts = spread(rests.parts, {
    amountCents,
    ...(servicesCents !== undefined && { servicesCents }),
    ...(effect === 'due-again' && cashCents > 0 && { overpaid: { cashCents, excessTaxCents } }),
  });
  if (parts === null) return null;
  const booked = parts.invoiceCents + parts.taxCents;
  return {
    franchiseId,
    workOrderNumber,
    parts,
    tipCents,
    totalCents: cents(amountCents + tipCents),
    dueCents: cents(Math.max(0, booked - rests.excessCents)),
    needsEffect: booked !== 0,
  };
}

/** Null if the formula refuses: more of one part than is left of it. */
function spread(rests: RefundParts, given: Parameters<typeof spreadRefund>[1]): RefundParts | null {
  if (given.amountCents === 0) return NOTHING;
  try {
    return spreadRefund(rests, given);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
