import type { Deps } from '../../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import type { LeasedCharge } from './leases.queries.ts';

/** The state of a charge's transaction by the provider's own records, and the keys that reach it. */
export type Standing =
  | { kind: 'found'; transaction: TransactionRecord; gateway: PaymentGateway }
  /** The key belongs to a transaction with another order id. */
  | { kind: 'foreign'; transaction: TransactionRecord }
  | ({ kind: 'not-found'; gateway: PaymentGateway } & Elsewhere)
  | { kind: 'too-many-requests' }
  | ({ kind: 'refused' } & Elsewhere)
  | { kind: 'unknown' };

/** A transaction that is ours. */
export type Found = Extract<Standing, { kind: 'found' }>;

/** Set if the owner's newer keys may reach it: they were not answered. */
type Elsewhere = { mayBeElsewhere?: true };

/**
 * Reads a charge's transaction by its key. If the provider refuses the original keys, or doesn't know the transaction
 * under them, tries the owner's newer keys: our order id proves that they reach the same account.
 */
export async function findTransaction(
  deps: Deps,
  { accountId, orderId, transactionKey }: Pick<LeasedCharge, 'accountId' | 'orderId' | 'transactionKey'>,
): Promise<Standing> {
  if (transactionKey === null) throw new Error(`no transaction key for ${orderId}`);
  const [own, ...newer] = await openMerchantKeys(deps, { accountId });
  const standing = await look(deps.gateways.of(own), { transactionKey, orderId });
  if (standing.kind !== 'refused' && standing.kind !== 'not-found') return standing;
  let areAnswered = true;
  for (const keys of newer.reverse()) {
    const other = await look(deps.gateways.of(keys), { transactionKey, orderId });
    if (other.kind === 'found') return other;
    areAnswered &&= other.kind !== 'unknown' && other.kind !== 'too-many-requests';
  }
  return areAnswered ? standing : { ...standing, mayBeElsewhere: true };
}

async function look(
  gateway: PaymentGateway,
  { transactionKey, orderId }: { transactionKey: string; orderId: string },
): Promise<Standing> {
  const outcome = await gateway.find({ transactionKey });
  switch (outcome.kind) {
    case 'found':
      return outcome.transaction.orderId === orderId
        ? { ...outcome, gateway }
        : { ...outcome, kind: 'foreign' };
    case 'not-found':
      return { kind: 'not-found', gateway };
    case 'not-executed':
      return { kind: outcome.status === 429 ? 'too-many-requests' : 'refused' };
    case 'unknown':
      return { kind: 'unknown' };
  }
}
