import type { Deps } from '../../deps.ts';
import { type InvoiceRow, selectUnpaidInvoices } from './invoices.queries.ts';

/** Everything that a user can pay, across all of their locations. */
export function listUnpaidInvoices(deps: Deps, { userId }: { userId: string }): Promise<InvoiceRow[]> {
  return selectUnpaidInvoices(deps.db.query, userId);
}
