import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';

/** What an export writes before its first row is sent: the spent second factor and the audit entry, in one commit. */
export function recordExport(
  caller: OfficeCaller,
  {
    action,
    name,
    filters,
    confirm,
  }: {
    action: string;
    name: string;
    filters: { franchiseId?: number | undefined };
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  const { franchiseId } = filters;
  return async (tx: Queryable, { rows }: { rows: number }): Promise<void> => {
    await confirm(tx);
    await recordAct(tx, caller, {
      action,
      subject: name,
      ...(franchiseId !== undefined && { franchiseId }),
      detail: { rows, filters },
    });
  };
}
