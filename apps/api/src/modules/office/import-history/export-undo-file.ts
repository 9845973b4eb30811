import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { openFileExport } from '../../console/lists/open-export.ts';
import { recordExport } from '../../console/lists/record-export.ts';
import { readImport } from './read-import.ts';
import { countUndo } from './undo.queries.ts';
import { writeUndoFile } from './write-undo-file.ts';

/** Exports the file that undoes an import. It names customers, so it is limited and recorded like any export. */
export async function exportUndoFile(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  {
    caller,
    importId,
    confirm,
  }: {
    caller: OfficeCaller;
    importId: string;
    /** Spends the second factor that a person needs. */
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  const asked = { reader: caller, importId };
  const found = await readImport(deps, asked);
  if (!found.ok || found.value.undo === null) return fail('not-found');
  const name = `undo-${importId}.csv`;
  const offices = found.value.franchises;
  const stream = await openFileExport(deps, {
    caller,
    countRows: async (snapshot) => (await countUndo(snapshot, asked)).rows,
    write: (snapshot) => writeUndoFile(snapshot, asked),
    record: recordExport(caller, {
      action: 'export-undo-file',
      name,
      offices,
      filters: { importId },
      confirm,
    }),
  });
  return ok({ name, stream });
}
