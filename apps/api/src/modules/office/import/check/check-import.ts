import type { CheckedImport } from '@brightpane/contract/office/imports';
import type { OwnConnection } from '../../../../db/own-connection.ts';
import type { Deps } from '../../../../deps.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import type { TakeTurn } from '../../../../http/turns.ts';
import type { ImportBody } from '../../rows/import-body.ts';
import type { SentImport } from '../import-invoices.ts';
import { beginCheck, endChecked, endRefused, endWithout, findSent } from '../import-record.queries.ts';
import { isStillInScope } from '../import-scope.queries.ts';
import { readImportScope } from '../import-scope.ts';
import { withStagedRows } from '../with-staged-rows.ts';
import {
  listPlannedBeside,
  listPlannedChanges,
  listPlannedOverpaid,
  planImport,
  sumPlan,
} from './check.queries.ts';
import { presentCheck } from './present-check.ts';

/** Why a file wasn't checked. */
export type CheckRefusal = 'not-found' | 'under-way' | 'imported' | 'access-changed' | 'crowded';

const MOST_CHANGES = 100;

/**
 * Reports what an import of this file would do. Stages the rows as the import does and then only reads, so it blocks
 * nobody and writes only its own row of the history.
 */
export async function checkImport(
  deps: Deps,
  takeTurn: TakeTurn,
  sent: SentImport & { importId: string; signal: AbortSignal },
): Promise<Success<CheckedImport> | Failure<CheckRefusal>> {
  const { importId, sender, fileName, body, signal } = sent;
  const { query } = deps.db;
  if (!(await beginCheck(query, { importId, sender, fileName }))) {
    const known = await findSent(query, { importId, sender });
    if (!known) return fail('not-found');
    return fail(known.state === 'applied' ? 'imported' : 'under-way');
  }
  const breakOff = () => endWithout(query, { importId, state: 'broken-off' });
  try {
    const turn = await takeTurn(() => stageAndRead(deps, { importId, body, sender, signal }));
    const outcome = turn.ok ? turn.value : turn;
    if (!outcome.ok) await breakOff();
    return outcome;
  } catch (error) {
    // If this fails too, the hourly task ends the row.
    await breakOff().catch(() => {});
    throw error;
  }
}

async function stageAndRead(
  deps: Deps,
  given: { importId: string; body: ImportBody; sender: OfficeCaller; signal: AbortSignal },
): Promise<Success<CheckedImport> | Failure<'access-changed'>> {
  const { importId, body, sender, signal } = given;
  const { query } = deps.db;
  signal.throwIfAborted();
  const faultsOf = await readImportScope(query, sender);
  return withStagedRows(deps, { importId, body, faultsOf }, async (connection, { total, faults, digest }) => {
    if (faults.count > 0) {
      const { count, named } = faults;
      await endRefused(query, { importId, count, faults: named, digest });
      return ok(presentCheck({ importId, digest, rows: total + count, faults }));
    }
    signal.throwIfAborted();
    // Who lost a franchise while their file arrived may not read what is stored of it.
    if (!(await isStillInScope(connection.query, sender))) return fail('access-changed');
    const plan = await readPlan(connection, signal);
    const checked = presentCheck({ importId, digest, rows: total, faults, plan });
    await endChecked(query, { importId, checked, digest });
    return ok(checked);
  });
}

/** If the client has left, stop and free the connection. */
async function readPlan({ query }: OwnConnection, signal: AbortSignal) {
  await planImport(query);
  signal.throwIfAborted();
  const changes = await listPlannedChanges(query, { limit: MOST_CHANGES });
  const beside = await listPlannedBeside(query, { limit: MOST_CHANGES - changes.length });
  return {
    franchises: await sumPlan(query),
    overpaid: await listPlannedOverpaid(query),
    changes: [...changes, ...beside],
  };
}
