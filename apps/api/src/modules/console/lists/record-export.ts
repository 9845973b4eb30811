import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { VisibleOffice } from './visible-offices.queries.ts';

/** What an export writes before its first row is sent: the spent second factor and the audit entry, in one commit. */
export function recordExport(
  caller: OfficeCaller,
  {
    action,
    name,
    offices,
    filters,
    confirm,
  }: {
    action: string;
    name: string;
    /** Of which it has rows. */
    offices: readonly Pick<VisibleOffice, 'franchiseId'>[];
    filters: object;
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  return async (tx: Queryable, { rows }: { rows: number }): Promise<void> => {
    await confirm(tx);
    await recordAct(tx, caller, {
      action,
      subject: name,
      ...ofOffices(offices.map(({ franchiseId }) => franchiseId)),
      detail: { rows, filters },
    });
  };
}
