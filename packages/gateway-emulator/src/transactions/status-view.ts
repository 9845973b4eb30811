import type { Batch, StatusCode, Transaction, TypeCode } from '../ledger/records.ts';
import type { Switches } from '../switches.ts';

const TYPE_WORDS: Record<TypeCode, string> = {
  S: 'Credit Card Sale',
  A: 'Auth Only',
  L: 'Captured Auth',
  C: 'Credit Card Refund (Credit)',
  V: 'Voided Credit Card Sale',
  Z: 'Voided Credit Card Refund',
};

/** The codes that rows show: the ledger's, plus R for released funds, T for expired holds and B for submitted ones. */
type ShownStatus = StatusCode | 'R' | 'T' | 'B';

const STATUS_WORDS: Record<ShownStatus, string> = {
  P: 'Authorized (Pending Settlement)',
  S: 'Settled',
  V: 'Voided',
  R: 'Voided (Funds Released)',
  E: 'Declined or in error',
  M: 'Held for approval',
  T: 'Authorization Expired',
  B: 'Submitted',
};

const PENDING_WORDS: Partial<Record<TypeCode, string>> = {
  A: 'Authorized (Will not be captured)',
  C: 'Pending Settlement',
  Z: 'Voided',
};

/** Whether it is an authorization that nobody captured in time. */
export function hasExpired({ type, status, expiresAt }: Transaction, now: number): boolean {
  return type === 'A' && status === 'P' && expiresAt !== undefined && expiresAt <= now;
}

/** Whether it is in a closing batch, and shows that. */
export function isSubmitted(
  { status }: Transaction,
  batch: Batch | undefined,
  { showsSubmitted }: Switches,
): boolean {
  return showsSubmitted && status === 'P' && batch?.status === 'closing';
}

interface Moment {
  batch: Batch | undefined;
  now: number;
  switches: Switches;
}

function shownStatus(transaction: Transaction, { batch, now, switches }: Moment): ShownStatus {
  if (hasExpired(transaction, now)) return switches.expiredAuthorizationStatus;
  if (transaction.type === 'Z') return 'P';
  if (isSubmitted(transaction, batch, switches)) return 'B';
  return transaction.status === 'V' && transaction.isReleased ? 'R' : transaction.status;
}

function shownType({ type, typeBeforeVoid, isReleased }: Transaction, switches: Switches): TypeCode {
  return isReleased && typeBeforeVoid === 'A' ? switches.releasedAuthorizationType : type;
}

/** The current type and status, as codes and words. */
export function statusView(
  transaction: Transaction,
  moment: Moment,
): Record<'trantype_code' | 'trantype' | 'status_code' | 'status', string> {
  const type = shownType(transaction, moment.switches);
  const status = shownStatus(transaction, moment);
  return {
    trantype_code: type,
    trantype: TYPE_WORDS[type],
    status_code: status,
    status: (status === 'P' ? PENDING_WORDS[type] : undefined) ?? STATUS_WORDS[status],
  };
}

export function typeWords({ type }: Transaction): string {
  return TYPE_WORDS[type];
}
