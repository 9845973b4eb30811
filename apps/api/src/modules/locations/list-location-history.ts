import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { selectPaidInvoices } from '../invoices/invoices.queries.ts';
import { isLocationVisible } from './locations.queries.ts';

export async function listLocationHistory(deps: Deps, at: { userId: string; locationId: number }) {
  if (!(await isLocationVisible(deps.db.query, at))) return fail('not-found');
  return ok(await selectPaidInvoices(deps.db.query, at));
}
