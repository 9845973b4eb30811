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
  const events = [...movementEvents(own), ...imports.map(importEvent)];
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

/** Each payment, with the invoice's paid amount before and after. */
function movementEvents(movements: InvoiceMovement[]): Event[] {
  const paid = { card: 0, office: 0 };
  return movements.map(({ at, kind, cents: moved, isNotCollected }) => {
    const by = kind === 'import' ? 'office' : 'card';
    const before = paid[by];
    paid[by] += moved;
    return {
      at,
      kind,
      by: kind === 'import' ? 'office' : kind !== 'payment' || isNotCollected ? 'portal' : 'payer',
      importId: null,
      changes: [
        {
          field: kind === 'import' ? 'paidElsewhere' : 'paid',
          before: centsToDollars(before),
          after: centsToDollars(paid[by]),
        },
      ],
    };
  });
}
