import { isPaidThere, type TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Found, Standing } from '../sweep/find-transaction.ts';
import type { HeldFor } from './moves/held-for.ts';
import type { LeasedRefund } from './sweep/refund-leases.queries.ts';

/** The state of a refund's sale by the provider's own record, as far as refunds depend on it. */
export type SaleStanding =
  | (Found & {
      /** `submitted`: in a batch on its way, or of unknown status; nothing may be sent. */
      sale: 'pending' | 'submitted' | 'settled' | 'voided';
    })
  | { kind: 'held'; heldFor: HeldFor }
  | { kind: 'later'; trouble: 'keys-refused' | 'too-many-requests' | 'no-answer' };

const SETTLED = ['S', 'F'];

export function readSale(standing: Standing, refund: Pick<LeasedRefund, 'chargeCents'>): SaleStanding {
  switch (standing.kind) {
    case 'foreign':
      return { kind: 'held', heldFor: 'another-order' };
    case 'refused':
    case 'not-found':
      return { kind: 'later', trouble: 'keys-refused' };
    case 'too-many-requests':
      return { kind: 'later', trouble: 'too-many-requests' };
    case 'unknown':
      return { kind: 'later', trouble: 'no-answer' };
    case 'found':
      return readFound(standing, refund);
  }
}

function readFound(found: Found, { chargeCents }: Pick<LeasedRefund, 'chargeCents'>): SaleStanding {
  const { transaction } = found;
  if (transaction.state === 'voided') return { ...found, sale: 'voided' };
  if (!isPaidThere(transaction)) return { kind: 'held', heldFor: 'not-captured' };
  if (transaction.amountCents !== chargeCents) return { kind: 'held', heldFor: 'another-amount' };
  return { ...found, sale: saleOf(transaction) };
}

function saleOf({ status }: TransactionRecord): 'pending' | 'submitted' | 'settled' {
  if (status === 'P') return 'pending';
  return SETTLED.includes(status) ? 'settled' : 'submitted';
}
