import type { LedgerRow } from '../../../../../apps/api/test/emulator.ts';

export const isCaptured = (row: LedgerRow): boolean => row.trantype_code === 'L' || row.trantype_code === 'S';

/** Money that the bank keeps for us; M is a hold that the bank wants verified. */
export const isOpenHold = (row: LedgerRow): boolean =>
  row.trantype_code === 'A' &&
  ['P', 'M'].includes(row.status_code) &&
  ['A', 'P', 'V'].includes(row.result_code);
