import type { Deps } from '../../../deps.ts';
import { type ListedFoundPayment, selectFoundPayments } from './found-payments.queries.ts';

/** Unacknowledged payments that the provider has and our books lack. */
export function listFoundPayments({ db }: Pick<Deps, 'db'>): Promise<ListedFoundPayment[]> {
  return selectFoundPayments(db.query);
}
