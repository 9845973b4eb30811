import type { StatusCode, Transaction, TypeCode } from './ledger/records.ts';
import type { Switches } from './switches.ts';

const TYPE_WORDS: Record<TypeCode, string> = {
  S: 'Credit Card Sale',
  A: 'Auth Only',
  L: 'Captured Auth',
  C: 'Credit Card Refund (Credit)',
  V: 'Voided Credit Card Sale',
  Z: 'Voided Credit Card Refund',
};

/** Codes that rows show: those of the ledger, and R for funds that were released. */
type ShownStatus = StatusCode | 'R' | 'T';

const STATUS_WORDS: Record<ShownStatus, string> = {
  P: 'Authorized (Pending Settlement)',
  S: 'Settled',
  V: 'Voided',
  R: 'Voided (Funds Released)',
  E: 'Declined or in error',
  M: 'Held for approval',
  T: 'Authorization Expired',
};

const PENDING_WORDS: Partial<Record<TypeCode, string>> = {
  A: 'Authorized (Will not be captured)',
  C: 'Pending Settlement',
  Z: 'Voided',
};

/** Whether it is an authorisation that nobody captured in time. */
export function hasExpired({ type, status, expiresAt }: Transaction, now: number): boolean {
  return type === 'A' && status === 'P' && expiresAt !== undefined && expiresAt <= now;
}

function shownStatus(transaction: Transaction, now: number, switches: Switches): ShownStatus {
  if (hasExpired(transaction, now)) return switches.expiredAuthorizationStatus;
  if (transaction.type === 'Z') return 'P';
  return transaction.status === 'V' && transaction.isReleased ? 'R' : transaction.status;
}

function shownType({ type, typeBeforeVoid, isReleased }: Transaction, switches: Switches): TypeCode {
  return isReleased && typeBeforeVoid === 'A' ? switches.releasedAuthorizationType : type;
}

/** Type and status of this moment, in codes and words. */
export function statusView(
  transaction: Transaction,
  now: number,
  switches: Switches,
): Record<'trantype_code' | 'trantype' | 'status_code' | 'status', string> {
  const type = shownType(transaction, switches);
  const status = shownStatus(transaction, now, switches);
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
