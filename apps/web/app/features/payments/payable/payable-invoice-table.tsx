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

/** Unpaid invoices on a wide screen. Each is its own table body, so that its rows stay together. */
export function PayableInvoiceTable(props: PayableInvoiceListProps) {
  return (
    <table className="payable-table">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Select</span>
          </th>
          <th scope="col">Work order</th>
          {props.showsAddress && <th scope="col">Address</th>}
          <th scope="col" className="due">
            Due
          </th>
          <th scope="col" className="sum">
            Amount
          </th>
        </tr>
      </thead>
      {rowsOf(props).map((row) => (
        <TableRow key={row.payable.key} {...row} />
      ))}
    </table>
  );
}

const TableRow = memo(function TableRow(row: PayableRowProps) {
  const { payable, line, showsAddress } = row;
  const { invoice } = payable;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand between a table and its rows.
    <tbody
      role="group"
      aria-label={`Work order ${invoice.workOrderNumber}`}
      className="payable-row"
      data-selected={line.isSelected}
    >
      <tr>
        <td>
          <SelectInvoice {...row} />
        </td>
        <td>
          <PayableWork invoice={invoice} />
          <PayableService invoice={invoice} />
          {!showsAddress && <PayableFranchise invoice={invoice} />}
        </td>
        {showsAddress && (
          <td>
            <PayablePlace invoice={invoice} />
          </td>
        )}
        <td className="due">
          <PayableDue invoice={invoice} />
        </td>
        <td className="sum">
          <PayableAmount payable={payable} />
        </td>
      </tr>
      {line.isSelected && (
        <tr>
          <td />
          <td colSpan={showsAddress ? 4 : 3}>
            <PayableExtras {...row} />
          </td>
        </tr>
      )}
    </tbody>
  );
});
