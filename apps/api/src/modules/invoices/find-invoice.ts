import type { ThreeNumbers } from '@brightpane/contract/invoices';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { findInvoiceByThreeNumbers } from './invoices.queries.ts';
import { zipKey } from './zip-key.ts';

/** Looks up one invoice for a guest. Which of the three numbers was wrong is nobody's business. */
export async function findInvoice(deps: Deps, { franchiseId, workOrderNumber, zipCode }: ThreeNumbers) {
  const key = zipKey(zipCode);
  const row =
    key && (await findInvoiceByThreeNumbers(deps.db.query, { franchiseId, workOrderNumber, zipKey: key }));
  return row ? ok(row) : fail('not-found');
}
