import type { LedgerRow } from '../../../../../apps/api/test/emulator.ts';

export const isCaptured = (row: LedgerRow): boolean => row.trantype_code === 'L' || row.trantype_code === 'S';

/** Money that the bank holds for us; M is a hold that the bank wants verified. */
export const isOpenHold = (row: LedgerRow): boolean =>
  row.trantype_code === 'A' &&
  ['P', 'M'].includes(row.status_code) &&
  ['A', 'P', 'V'].includes(row.result_code);

/** A refund that was made; a voided one has type Z. */
export const isRefunded = (row: LedgerRow): boolean => row.trantype_code === 'C' && row.result_code === 'A';

/** A voided payment, or a released hold; a voided refund has type Z. */
export const isVoided = (row: LedgerRow): boolean => row.trantype_code === 'V';

/** A payment's row, not a refund of it. */
export const isSale = (row: LedgerRow): boolean => !['C', 'Z'].includes(row.trantype_code);
