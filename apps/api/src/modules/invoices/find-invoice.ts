import type { ThreeNumbers } from '@brightpane/contract/invoices/invoices';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import type { Uncounted } from '../limits/limits.queries.ts';
import { findInvoiceByThreeNumbers, findInvoiceForUncounted } from './invoices.queries.ts';
import { zipKey } from './zip-key.ts';

/** Looks up one invoice for a guest. Doesn't tell which of the three numbers was wrong. */
export async function findInvoice(deps: Deps, { franchiseId, workOrderNumber, zipCode }: ThreeNumbers) {
  const key = zipKey(zipCode);
  const row =
    key && (await findInvoiceByThreeNumbers(deps.db.query, { franchiseId, workOrderNumber, zipKey: key }));
  return row ? ok(row) : fail('not-found');
}

/**
 * Does the look-up and the limit check in one statement, for callers without counted misses.
 * `undefined` for anything but a hit.
 */
export async function findInvoiceUncounted(
  deps: Deps,
  { franchiseId, workOrderNumber, zipCode, keys, now }: ThreeNumbers & Uncounted,
) {
  const key = zipKey(zipCode);
  const asked = { franchiseId, workOrderNumber, keys, now };
  const row = key && (await findInvoiceForUncounted(deps.db.query, { ...asked, zipKey: key }));
  return row ? ok(row) : undefined;
}
