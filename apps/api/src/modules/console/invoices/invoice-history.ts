import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { centsToDollars } from '@brightpane/contract/wire';
import { presentChanges } from '../../office/import/check/present-row.ts';
import type { InvoiceImport, InvoiceMovement } from './invoice-page.queries.ts';

type Event = OfficeInvoice['history'][number];

/**
 * An invoice's history, oldest first: each import that changed it, each payment. While an import's changes are kept,
 * the money that it reported shows there; later it shows as the ledger has it.
 */
export function invoiceHistory(movements: InvoiceMovement[], imports: InvoiceImport[]): Event[] {
  const own = movements.filter((movement) => !imports.some((each) => isOf(movement, each)));
  // An import that only gave the place to another customer changed nothing of the invoice.
  const changes = imports.map(importEvent).filter((event) => event.changes.length > 0);
  const events = [...movementEvents(own), ...changes];
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const isOf = ({ at, kind }: InvoiceMovement, { startedAt, endedAt }: InvoiceImport): boolean =>
  kind === 'import' &&
  Date.parse(at) >= Date.parse(startedAt) &&
  (endedAt === null || Date.parse(at) <= Date.parse(endedAt));

const importEvent = ({ at, by, importId, before, after }: InvoiceImport): Event => ({
  at,
  kind: 'import',
  by,
  importId,
  changes: presentChanges(before, after),
});

/** Each payment, with the invoice's paid amount before and after, and what refunds have credited. */
function movementEvents(movements: InvoiceMovement[]): Event[] {
  const sums = { paidElsewhere: 0, paid: 0, credited: 0 };
  const change = (field: keyof typeof sums, moved: number) => {
    const before = sums[field];
    sums[field] += moved;
    return { field, before: centsToDollars(before), after: centsToDollars(sums[field]) };
  };
  return movements.map(({ at, kind, cents: moved, isNotCollected, isCredited }) => {
    return {
      at,
      kind,
      by: kind === 'import' ? 'office' : kind !== 'payment' || isNotCollected ? 'portal' : 'payer',
      importId: null,
      changes: [
        change(kind === 'import' ? 'paidElsewhere' : 'paid', moved),
        ...(isCredited ? [change('credited', -moved)] : []),
      ],
    };
  });
}
