import type { Deps } from '../../../deps.ts';
import { type FoundPayment, selectFoundPayments } from '../epoch/restore.queries.ts';

/** The payments that the provider has and our books do not, and that nobody has acknowledged yet. */
export function listFoundPayments({ db }: Pick<Deps, 'db'>): Promise<FoundPayment[]> {
  return selectFoundPayments(db.query);
}
