import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { InvoiceRow } from '../rows/read-invoice-row.ts';
import { type RowFault, valueFault } from '../rows/row-fault.ts';
import { listOwnFranchises } from './import-scope.queries.ts';

/** What a row may not contain because of who sends it. */
export type ImportScope = (row: InvoiceRow) => RowFault[];

const STORED = 'must stay as it is stored: an owner or headquarters may change it';

/**
 * A sender who sees every office may send rows of any, including new ones. Others may only send rows of their own
 * offices, and a clerk can't change an office's time zone or name through a file.
 */
export async function readImportScope(db: Queryable, sender: OfficeCaller): Promise<ImportScope> {
  if (sender.isForAll) return () => [];
  const own = new Map((await listOwnFranchises(db, sender)).map((franchise) => [franchise.id, franchise]));
  return ({ franchiseId, franchiseName, timeZone }) => {
    const franchise = own.get(franchiseId);
    if (!franchise) return [valueFault('franchiseId', String(franchiseId), 'must be one of your franchises')];
    if (mayChangeOffices(sender)) return [];
    return [
      ...(franchiseName === franchise.name ? [] : [valueFault('franchiseName', franchiseName, STORED)]),
      ...(timeZone === franchise.timeZone ? [] : [valueFault('timeZone', timeZone, STORED)]),
    ];
  };
}

/** Whether a file of this sender sets names and time zones. */
export const mayChangeOffices = (sender: OfficeCaller): boolean =>
  sender.kind !== 'staff' || sender.role !== 'clerk';
