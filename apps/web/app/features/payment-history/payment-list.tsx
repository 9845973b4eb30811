import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import { useMediaQuery } from '@brightpane/ui/page/use-media-query';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { centsOf } from '../invoices/open-amounts.ts';
import { amountAndDay, NOT_COLLECTED, PAID_BY, WHO_PAID } from './payment-words.ts';

type Listed = {
  payments: ListedPayment[];
  /** For the row or card of this payment: its attributes. */
  place: (payment: ListedPayment) => { ref?: (row: HTMLElement | null) => void; tabIndex?: number };
};

/**
 * The payments, newest first: a table if there is room, else cards. The first payment of a page that has `arrived` takes
 * the focus, to be read from there: the button that asked for the page may be gone.
 */
export function PaymentList({
  payments,
  arrived,
}: {
  payments: ListedPayment[];
  arrived: string | undefined;
}) {
  const isWide = useMediaQuery('(min-width: 768px)');
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (arrived !== undefined) row.current?.focus();
  }, [arrived]);
  const place: Listed['place'] = ({ paymentId }) =>
    paymentId === arrived
      ? {
          ref: (element) => {
            row.current = element;
          },
          tabIndex: -1,
        }
      : {};
  const Shape = isWide ? PaymentTable : PaymentCards;
  return <Shape payments={payments} place={place} />;
}

function PaymentTable({ payments, place }: Listed) {
  return (
    <div className="panel">
      <table className="history payment-table">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Work orders</th>
            <th scope="col">Paid by</th>
            <th scope="col" className="sum">
              Amount
            </th>
            <th scope="col">Receipt</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.paymentId} {...place(payment)}>
              <td className="figures">{formatWireDate(payment.paidAt)}</td>
              <td>
                <WorkOrders payment={payment} />
              </td>
              <td>{PAID_BY[payment.by]}</td>
              <td className="sum">
                <Amount payment={payment} />
              </td>
              <td>
                <Receipt payment={payment} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PaymentCards({ payments, place }: Listed) {
  return (
    <ul className="payment-cards">
      {payments.map((payment) => (
        <li key={payment.paymentId} className="panel" {...place(payment)}>
          <div className="payment-card-head">
            <span className="figures">{formatWireDate(payment.paidAt)}</span>
            <div>
              <Amount payment={payment} />
            </div>
          </div>
          <div>
            {payment.lines.length === 1 ? 'Work order ' : 'Work orders '}
            <WorkOrders payment={payment} />
          </div>
          <div className="quiet">{WHO_PAID[payment.by]}</div>
          <Receipt payment={payment} />
        </li>
      ))}
    </ul>
  );
}

const MOST_NUMBERS = 3;

function WorkOrders({ payment: { lines } }: { payment: ListedPayment }) {
  const numbers = lines.slice(0, MOST_NUMBERS).map(({ workOrderNumber }) => workOrderNumber);
  const more = lines.length - numbers.length;
  const names = [...new Set(lines.map(({ franchiseName }) => franchiseName))];
  return (
    <>
      <span className="figures">{numbers.join(', ')}</span>
      {more > 0 && ` and ${more} more`}
      <div className="quiet">{names.join(', ')}</div>
    </>
  );
}

function Amount({ payment: { amount, refundedAmount, state } }: { payment: ListedPayment }) {
  if (state === 'not-collected') {
    return (
      <s>
        <Money cents={centsOf(amount)} />
      </s>
    );
  }
  return (
    <>
      <Money cents={centsOf(amount)} />
      {refundedAmount > 0 && (
        <div className="quiet">
          <Money cents={centsOf(refundedAmount)} /> refunded
        </div>
      )}
    </>
  );
}

function Receipt({ payment }: { payment: ListedPayment }) {
  if (payment.state === 'not-collected') return <span className="quiet">{NOT_COLLECTED}</span>;
  if (payment.receiptLink === null) return null;
  return (
    <Link className="receipt-link" to={`/payments/${payment.paymentId}`}>
      Receipt<span className="visually-hidden"> for {amountAndDay(payment)}</span>
    </Link>
  );
}
