import type { ThreeNumbers } from '@brightpane/contract/invoices/invoices';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import type { Uncounted } from '../limits/limits.queries.ts';
import { findInvoiceByThreeNumbers, findInvoiceForUncounted } from './invoices.queries.ts';
import { zipKey } from './zip-key.ts';

/** Looks up one invoice for a guest. Which of the three numbers was wrong is nobody's business. */
export async function findInvoice(deps: Deps, { franchiseId, workOrderNumber, zipCode }: ThreeNumbers) {
  const key = zipKey(zipCode);
  const row =
    key && (await findInvoiceByThreeNumbers(deps.db.query, { franchiseId, workOrderNumber, zipKey: key }));
  return row ? ok(row) : fail('not-found');
}

/** The same in one statement with the limits, where nothing is counted; `undefined` for everything but a hit. */
export async function findInvoiceUncounted(
  deps: Deps,
  { franchiseId, workOrderNumber, zipCode, keys, now }: ThreeNumbers & Uncounted,
) {
  const key = zipKey(zipCode);
  const asked = { franchiseId, workOrderNumber, keys, now };
  const row = key && (await findInvoiceForUncounted(deps.db.query, { ...asked, zipKey: key }));
  return row ? ok(row) : undefined;
}
