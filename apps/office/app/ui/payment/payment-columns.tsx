import type { PaymentRow } from '@brightpane/contract/office/payments';
import { RowTime } from '../facts/row-time.tsx';
import { Dollars } from '../fields/dollars.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { PaymentStateBadge } from './payment-state.tsx';

/** The first three numbers, and how many more there are: a payment may have hundreds. */
export function workOrderWords(numbers: number[], count = numbers.length): string {
  const first = numbers.slice(0, 3);
  const more = count - first.length;
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A share's columns in every list of payments. */
export const PAYMENT_COLUMNS: ListColumn<PaymentRow>[] = [
  {
    head: 'Time',
    cell: ({ at, franchiseId, timeZone }) => <RowTime at={at} franchiseId={franchiseId} zone={timeZone} />,
  },
  { head: 'Customer', isName: true, isWide: true, cell: ({ customer }) => customer.name },
  {
    head: 'Work orders',
    isWide: true,
    cell: ({ workOrders, workOrderCount }) => workOrderWords(workOrders, workOrderCount),
  },
  { head: 'Method', cell: ({ method }) => method && `${method.brand} ${method.lastFour}` },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  { head: 'Tip', isAmount: true, cell: ({ tip }) => (tip === 0 ? null : <Dollars amount={tip} />) },
  {
    head: 'Refunded',
    isAmount: true,
    cell: ({ refunded }) => (refunded === 0 ? null : <Dollars amount={-refunded} />),
  },
  {
    head: 'State',
    cell: ({ state, isInReview }) => <PaymentStateBadge state={state} isInReview={isInReview} />,
  },
];

export const paymentKey = ({ paymentId, franchiseId }: PaymentRow) => `${paymentId}/${franchiseId}`;
export const paymentLink = ({ paymentId }: PaymentRow) => `/payments/${paymentId}`;
