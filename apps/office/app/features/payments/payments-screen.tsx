import type { PaymentList, PaymentRow } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useFranchiseColumn } from '../../ui/facts/franchise-column.ts';
import type { ListFilter } from '../../ui/list/filters/list-filter.ts';
import { ListScreen } from '../../ui/list/list-screen.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { PAYMENT_COLUMNS, paymentKey, paymentLink } from '../../ui/payment/payment-columns.tsx';
import { PaymentTotals } from './payment-totals.tsx';

export const PAYMENT_FILTERS: ListFilter[] = [
  {
    kind: 'search',
    name: 'search',
    label: 'Search',
    help: 'A name, work order, email, card, “about 120”, “yesterday”.',
  },
  {
    kind: 'select',
    name: 'state',
    label: 'State',
    options: [
      { value: '', text: 'All' },
      { value: 'paid', text: 'Paid' },
      { value: 'declined', text: 'Declined' },
      { value: 'not-charged', text: 'Not charged' },
      { value: 'failed', text: 'Failed' },
      { value: 'refunded', text: 'Refunded' },
      { value: 'partly-refunded', text: 'Partly refunded' },
      { value: 'review', text: 'Review' },
      { value: 'credit', text: 'Credit to look at' },
    ],
  },
  {
    kind: 'select',
    name: 'method',
    label: 'Method',
    options: [
      { value: '', text: 'All' },
      { value: 'visa', text: 'Visa' },
      { value: 'mastercard', text: 'Mastercard' },
      { value: 'amex', text: 'Amex' },
      { value: 'discover', text: 'Discover' },
      { value: 'other', text: 'Other' },
    ],
  },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'To' },
  { kind: 'money', name: 'minAmount', label: 'At least' },
  { kind: 'money', name: 'maxAmount', label: 'At most' },
  {
    kind: 'select',
    name: 'order',
    label: 'Order',
    options: [
      { value: '', text: 'Newest' },
      { value: 'oldest', text: 'Oldest' },
    ],
  },
];

/** **Payments**: one row per franchise that a payment paid, or tried to pay. */
export function PaymentsScreen({ load }: { load: ListLoad<PaymentRow, PaymentList> }) {
  const isOldestFirst = new URLSearchParams(load.search).get('order') === 'oldest';
  const columns = useFranchiseColumn(PAYMENT_COLUMNS, ({ franchiseId }) => [franchiseId]);
  return (
    <ListScreen
      title="Payments"
      load={load}
      columns={columns}
      rowKey={paymentKey}
      rowLink={paymentLink}
      filters={PAYMENT_FILTERS}
      order={isOldestFirst ? 'oldest-first' : 'newest-first'}
      empty={{ text: 'No payments yet. They appear here as customers pay.' }}
      exported={{ path: OFFICE_ENDPOINTS.exportPayments.path, stepUp: 'Export payments' }}
      above={(page) => (
        <>
          {page !== null && page.underWay > 0 && (
            <p>
              {page.underWay === 1 ? '1 payment is under way.' : `${page.underWay} payments are under way.`}
            </p>
          )}
          <PaymentTotals load={load} />
        </>
      )}
    />
  );
}
