import type { CheckedImport, Import } from '@brightpane/contract/office/imports';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { presentFranchise, presentOverpaid } from '../import/check/present-check.ts';
import { presentChanges } from '../import/check/present-row.ts';
import { type FoundImport, findImport, listCounts, listKeptChanges } from './import-history.queries.ts';
import { countUndo } from './undo.queries.ts';

type Asked = { reader: OfficeCaller; importId: string };

const MOST_CHANGES = 100;

/** An import's progress, findings and results, limited to the reader's offices. */
export async function readImport(
  { db }: Pick<Deps, 'db'>,
  asked: Asked,
): Promise<Success<Import> | Failure<'not-found'>> {
  const found = await findImport(db.query, asked);
  if (!found) return fail('not-found');
  const { checked, isOwn, isKept, ...record } = found;
  if (record.state === 'applied')
    return ok({ ...record, ...(await whatItDid({ db }, asked, isKept)), faults: [] });
  const { created, updated, unchanged, ...would } = isOwn ? whatItWouldDo(found) : NOTHING;
  return ok({
    ...record,
    created,
    updated,
    unchanged,
    ...would,
    faults: isOwn ? record.faults : [],
    undo: null,
  });
}

const NOTHING = {
  created: 0,
  updated: 0,
  unchanged: 0,
  overpaid: [],
  franchises: [],
  changes: [],
} satisfies Partial<Import>;

function whatItWouldDo({ checked }: FoundImport) {
  if (!checked) return NOTHING;
  const { created, updated, unchanged, overpaid, franchises, changes } = checked as CheckedImport;
  return { created, updated, unchanged, overpaid, franchises, changes };
}

async function whatItDid({ db }: Pick<Deps, 'db'>, asked: Asked, isKept: boolean) {
  const counts = await listCounts(db.query, asked);
  const changes = await listKeptChanges(db.query, { ...asked, limit: MOST_CHANGES });
  return {
    franchises: counts.map(presentFranchise),
    overpaid: counts.flatMap(({ overpaid }) => overpaid).map(presentOverpaid),
    changes: changes
      .map(({ before, after }) => ({
        line: null,
        kind: 'updated' as const,
        franchiseId: after.franchise_id,
        workOrderNumber: after.work_order_number,
        fields: presentChanges(before, after),
      }))
      .filter(({ fields }) => fields.length > 0),
    undo: isKept ? await countUndo(db.query, asked) : null,
  };
}
