import type { RefundRequestBody } from '@brightpane/contract/office/refunds';
import { cents } from '@brightpane/money/cents';
import type { RefundableRow } from '../../../../../apps/api/src/modules/console/refunds/requests/refundable.queries.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';

export type RequestRefundBody = RefundRequestBody;

type Line = RequestRefundBody['lines'][number];

/** Draws a request for a payment's refund, in terms of the dialog's shortcuts. */
export function drawRequest(random: SeededRandom, rows: readonly RefundableRow[]): RequestRefundBody {
  const effect = random.percent(65) ? 'due-again' : 'credited';
  const row = random.pick(rows);
  const lines = random.pick([wholePayment, oneInvoice, tip, services, overpaid, anAmount])(rows, row, {
    effect,
    random,
  });
  return { reason: 'complaint', again: random.percent(50), lines };
}

type Shortcut = (
  rows: readonly RefundableRow[],
  row: RefundableRow,
  given: { effect: 'due-again' | 'credited'; random: SeededRandom },
) => Line[];

const named = ({ franchiseId, workOrderNumber }: RefundableRow) => ({ franchiseId, workOrderNumber });

const wholePayment: Shortcut = (rows, _, { effect }) => rows.map((row) => ({ ...named(row), effect }));

const oneInvoice: Shortcut = (_, row, { effect }) => [{ ...named(row), effect }];

const tip: Shortcut = (_, row) => [{ ...named(row), tip: cents(Math.max(1, row.free.tipCents)) }];

const services: Shortcut = (_, row) => {
  const amount = cents(Math.max(1, row.free.servicesCents + row.free.servicesTaxCents));
  return [{ ...named(row), amount, services: amount }];
};

const overpaid: Shortcut = (_, row) => {
  const amount = cents(Math.max(1, row.overpaidCents));
  const isServed = row.free.servicesCents > 0;
  return [{ ...named(row), amount, effect: 'due-again', ...(isServed && { services: cents(0) }) }];
};

const anAmount: Shortcut = (_, row, { effect, random }) => {
  const { invoiceCents, taxCents, servicesCents, servicesTaxCents } = row.free;
  const all = Math.max(1, invoiceCents + taxCents + servicesCents + servicesTaxCents);
  return [{ ...named(row), amount: cents(1 + random.integer(all)), effect }];
};
