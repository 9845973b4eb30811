import { memo } from 'react';
import { PayableExtras } from './payable-extras.tsx';
import {
  PayableAmount,
  PayableDue,
  PayableFranchise,
  PayablePlace,
  PayableService,
  PayableWork,
  SelectInvoice,
} from './payable-facts.tsx';
import { type PayableInvoiceListProps, type PayableRowProps, rowsOf } from './payable-rows.ts';

/** Unpaid invoices on a phone, as a list of cards. */
export function PayableInvoiceCards(props: PayableInvoiceListProps) {
  return (
    <ul className="payable-cards">
      {rowsOf(props).map((row) => (
        <li key={row.payable.key}>
          <InvoiceCard {...row} />
        </li>
      ))}
    </ul>
  );
}

const InvoiceCard = memo(function InvoiceCard(row: PayableRowProps) {
  const { payable, line, showsAddress } = row;
  const { invoice } = payable;
  return (
    <fieldset
      aria-label={`Work order ${invoice.workOrderNumber}`}
      className="panel payable-card"
      data-selected={line.isSelected}
    >
      <div className="payable-card-head">
        <SelectInvoice {...row} />
        <PayableWork invoice={invoice} />
        <PayableAmount payable={payable} />
      </div>
      <PayableService invoice={invoice} />
      <PayableDue invoice={invoice} />
      {showsAddress ? <PayablePlace invoice={invoice} /> : <PayableFranchise invoice={invoice} />}
      {line.isSelected && <PayableExtras {...row} />}
    </fieldset>
  );
});
