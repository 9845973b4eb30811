import type { RequestedLineBody } from '@brightpane/contract/office/refunds';
import { type Cents, cents } from '@brightpane/money/cents';
import { sumOfParts } from '@brightpane/money/parts';
import { refundableCents, spreadRefund } from '@brightpane/money/spread-refund';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import type { RequestedLine } from '../../../payments/refunds/request-refunds.queries.ts';
import type { Parts, RefundableRow } from './refundable.queries.ts';

type Named = { workOrderNumber: number };

/** `line` is the place in the request; a refund that is sent again names no lines. */
type Beyond = { line?: number; field: 'amount' | 'services' | 'tip'; mostCents: Cents };

export type LineRefusal =
  | (Failure<'nothing-chosen' | 'effect-missing' | 'already-refunded'> & Named)
  | (Failure<'more-than-left'> & Named & Beyond)
  | (Failure<'overpaid-first'> & Named & { overpaidCents: Cents })
  | (Failure<'overpaid-leaving'> & Named & { overpaidCents: Cents })
  | Failure<'under-way'>;

type Priced = Success<RequestedLine> | LineRefusal;

/** Computes one work order's refund, as the dialog showed it. */
export function priceLine(row: RefundableRow, asked: RequestedLineBody): Priced {
  const priced = price(row, row.free, asked);
  if (priced.ok || (priced.code !== 'more-than-left' && priced.code !== 'already-refunded')) return priced;
  // Another refund in progress takes it; if that one fails, this one would be possible.
  return price(row, row.left, asked).ok ? fail('under-way') : priced;
}

function price(row: RefundableRow, rests: Parts, asked: RequestedLineBody): Priced {
  const { workOrderNumber } = row;
  if (sumOfParts(rests) <= 0) return fail('already-refunded', { workOrderNumber });
  const isWhole = asked.amount === undefined && asked.tip === undefined;
  const amountCents = isWhole ? refundableCents(rests) : (asked.amount ?? cents(0));
  const tipCents = isWhole ? rests.tipCents : (asked.tip ?? cents(0));
  if (amountCents + tipCents <= 0) return fail('nothing-chosen', { workOrderNumber });
  const beyond = findBeyond(rests, { amountCents, tipCents, servicesCents: asked.services });
  if (beyond) return fail('more-than-left', { workOrderNumber, ...beyond });
  return withEffect(row, asked, { ...spread(row, rests, { amountCents, asked }), tipCents });
}

function findBeyond(
  rests: Parts,
  given: { amountCents: Cents; tipCents: Cents; servicesCents: Cents | undefined },
): Beyond | null {
  const { amountCents, tipCents, servicesCents } = given;
  if (tipCents > rests.tipCents) return { field: 'tip', mostCents: rests.tipCents };
  const all = refundableCents(rests);
  if (amountCents > all) return { field: 'amount', mostCents: all };
  if (servicesCents === undefined) return null;
  const services = rests.servicesCents + rests.servicesTaxCents;
  // A payer's credit can't be kept back: it is refunded with what it was deducted from.
  if (servicesCents > services) return { field: 'services', mostCents: cents(Math.max(0, services)) };
  const most = rests.invoiceCents + rests.taxCents + servicesCents;
  return amountCents > most ? { field: 'amount', mostCents: cents(most) } : null;
}

const NOTHING = {
  invoiceCents: cents(0),
  taxCents: cents(0),
  servicesCents: cents(0),
  servicesTaxCents: cents(0),
};

function spread(
  { overpaidCents, excessTaxCents }: RefundableRow,
  rests: Parts,
  { amountCents, asked }: { amountCents: Cents; asked: RequestedLineBody },
) {
  if (amountCents === 0) return NOTHING;
  const isReturned = asked.effect === 'due-again' && overpaidCents > 0;
  return spreadRefund(rests, {
    amountCents,
    ...(asked.services !== undefined && { servicesCents: asked.services }),
    ...(isReturned && { overpaid: { cashCents: overpaidCents, excessTaxCents } }),
  });
}

function withEffect(
  { workOrderNumber, invoiceId, overpaidCents, overpaidNowCents, excessNowCents }: RefundableRow,
  { effect }: RequestedLineBody,
  parts: Parts,
): Priced {
  const due = parts.invoiceCents + parts.taxCents;
  if (due === 0) return ok({ ...parts, invoiceId, effect: null, nothingDue: false });
  if (effect === undefined) return fail('effect-missing', { workOrderNumber });
  if (effect === 'credited' && overpaidNowCents > 0)
    return overpaidCents > 0
      ? fail('overpaid-first', { workOrderNumber, overpaidCents })
      : fail('overpaid-leaving', { workOrderNumber, overpaidCents: overpaidNowCents });
  // A page from before another refund of the invoice was asked for has shown that nothing falls due.
  const nothingDue = effect === 'due-again' && due <= excessNowCents;
  return ok({ ...parts, invoiceId, effect, nothingDue });
}
