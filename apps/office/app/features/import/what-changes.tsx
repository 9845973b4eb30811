import type { ImportChange, ImportFranchise } from '@brightpane/contract/office/imports';
import { franchiseNames } from '../../lib/me/franchise-names.ts';
import { BeforeAfterTable } from '../../ui/facts/before-after-table.tsx';
import { invoiceFieldWords, invoiceValueWords } from '../../ui/facts/invoice-field-words.ts';
import { usd } from '../../ui/fields/dollars.tsx';
import { count } from './import-words.ts';

type What = {
  franchises: ImportFranchise[];
  changes: ImportChange[];
  overpaid: { franchiseId: number; workOrderNumber: number; amount: number }[];
};

/** What a file changes per office, and field by field for the invoices that change most. */
export function WhatChanges({ franchises, changes, overpaid }: What) {
  const nameOf = franchiseNames(franchises);
  // Numbers are each office's own.
  const workOrder = ({ franchiseId, workOrderNumber }: { franchiseId: number; workOrderNumber: number }) =>
    `Work order ${workOrderNumber}${franchises.length > 1 ? ` of ${nameOf(franchiseId)}` : ''}`;
  return (
    <>
      <ul className="import-offices">
        {franchises.map((franchise) => (
          <li key={franchise.franchiseId}>
            <Office franchise={franchise} />
          </li>
        ))}
      </ul>
      {overpaid.length > 0 && (
        <>
          <h3>Overpaid</h3>
          <ul>
            {overpaid.map((each) => (
              <li key={`${each.franchiseId} ${each.workOrderNumber}`}>
                {workOrder(each)} by {usd(each.amount)}
              </li>
            ))}
          </ul>
        </>
      )}
      {changes.length > 0 && (
        <details className="before-after import-changes">
          <summary>
            {changes.length === 1 ? 'One change' : `The ${changes.length} largest changes`}, field by field
          </summary>
          {changes.map((change) => (
            <Change
              key={`${change.franchiseId} ${change.workOrderNumber}`}
              change={change}
              workOrder={workOrder(change)}
            />
          ))}
        </details>
      )}
    </>
  );
}

function Office({ franchise }: { franchise: ImportFranchise }) {
  const { name, created, updated, unchanged, amountBefore, amountAfter, nameChange, zoneChange } = franchise;
  return (
    <>
      <strong>{name}</strong>: {count(created)} created, {count(updated)} updated, {count(unchanged)}{' '}
      unchanged.{' '}
      <span className="figures">
        {usd(amountBefore)} → {usd(amountAfter)}
      </span>
      {nameChange && (
        <p className="notice notice-warning">
          The name changes from {nameChange.before} to {nameChange.after}.
        </p>
      )}
      {zoneChange && (
        <p className="notice notice-warning">
          The time zone changes from {zoneChange.before} to {zoneChange.after}. Days in all reports move.
        </p>
      )}
    </>
  );
}

function Change({ change: { line, kind, fields }, workOrder }: { change: ImportChange; workOrder: string }) {
  const place = line === null ? '' : `, line ${line}`;
  return (
    <BeforeAfterTable
      caption={`${workOrder}, ${kind}${place}`}
      rows={fields.map(({ field, before, after }) => ({
        field: invoiceFieldWords(field),
        before: invoiceValueWords(field, before),
        after: invoiceValueWords(field, after),
      }))}
    />
  );
}
