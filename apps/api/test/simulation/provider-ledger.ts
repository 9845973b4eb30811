import type { LedgerRow } from '../emulator.ts';

export const isCaptured = (row: LedgerRow): boolean => row.trantype_code === 'L' || row.trantype_code === 'S';

export const isOpenHold = (row: LedgerRow): boolean =>
  row.trantype_code === 'A' && row.status_code === 'P' && row.result_code !== 'D';
