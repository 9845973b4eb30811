import type { Refund } from '@brightpane/contract/office/refunds';
import { REFUND_REASON_WORDS } from '@brightpane/contract/office/words/refund-reasons';
import type { WorkOrderNames } from '../../lib/me/work-order-names.ts';
import { ByText } from '../facts/by-text.tsx';
import { RowTime } from '../facts/row-time.tsx';
import { Dollars } from '../fields/dollars.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { workOrderWords } from '../payment/payment-columns.tsx';

const workOrdersOf = ({ lines }: Refund): number[] => [
  ...new Set(lines.map(({ workOrderNumber }) => workOrderNumber)),
];

const AMOUNT: ListColumn<Refund> = {
  head: 'Amount',
  isAmount: true,
  cell: ({ amount }) => <Dollars amount={amount} />,
};

const requestedAt = ({ requestedAt: at, lines, timeZone }: Refund) => (
  <RowTime at={at} franchiseId={lines[0]?.franchiseId ?? null} zone={timeZone} />
);

const ENDS: ListColumn<Refund>[] = [
  { head: 'Reason', cell: ({ reason }) => REFUND_REASON_WORDS[reason] },
  { head: 'By', isWide: true, cell: ({ requestedBy }) => <ByText by={requestedBy} /> },
  { head: 'State', isWide: true, cell: ({ words }) => words },
];

/** For refunds of any payment. */
export const REFUND_COLUMNS: ListColumn<Refund>[] = [
  { head: 'Requested', cell: requestedAt },
  {
    head: 'Payment',
    isWide: true,
    cell: (refund) =>
      [refund.card && `${refund.card.brand} ${refund.card.lastFour}`, workOrderWords(workOrdersOf(refund))]
        .filter(Boolean)
        .join(', '),
  },
  { head: 'Customer', isName: true, isWide: true, cell: ({ customer }) => customer.name },
  AMOUNT,
  ...ENDS,
];

/** For refunds of one payment or one invoice, whose page names its work orders by `nameOf`. */
export const ownRefundColumns = (nameOf: WorkOrderNames): ListColumn<Refund>[] => [
  { head: 'Requested', isName: true, cell: requestedAt },
  { head: 'Work orders', isWide: true, cell: ({ lines }) => [...new Set(lines.map(nameOf))].join(', ') },
  AMOUNT,
  ...ENDS,
];

export const refundFranchises = ({ lines }: Refund) => lines.map(({ franchiseId }) => franchiseId);
export const refundKey = ({ refundId }: Refund) => refundId;
export const refundLink = ({ refundId }: Refund) => `/refunds/${refundId}`;
