import { randomUUID } from 'node:crypto';
import type { ProblemError } from '@brightpane/contract/problem';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { OwnConnection } from '../../../db/own-connection.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import type { TakeTurn } from '../../../http/turns.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import type { FileDigest, ImportBody } from '../rows/import-body.ts';
import { keepChanges, keepCounts, rememberBefore } from './check/before.queries.ts';
import {
  insertInvoices,
  keepUnmentionedWithCustomers,
  lockAffectedInvoices,
  lockImports,
  type Overpaid,
  updateInvoices,
  upsertFranchises,
  upsertPlaces,
} from './import.queries.ts';
import {
  beginChecked,
  beginUnchecked,
  endApplied,
  endRefused,
  endWithout,
  findImported,
  findSent,
} from './import-record.queries.ts';
import { isStillInScope } from './import-scope.queries.ts';
import { mayChangeOffices, readImportScope } from './import-scope.ts';
import { tellOfOverpayments } from './tell-of-overpayments.ts';
import { withStagedRows } from './with-staged-rows.ts';

export type ImportCounts = { created: number; updated: number; unchanged: number; overpaid: Overpaid[] };

/** Why a file wasn't imported. Nothing changed. */
export type ImportRefusal =
  | 'unchecked'
  | 'not-found'
  | 'under-way'
  | 'another-file'
  | 'access-changed'
  | 'crowded';

export type ImportOutcome =
  | Success<ImportCounts>
  /** `count` covers all bad lines; `errors` names the first of them. */
  | (Failure<'bad-lines'> & { count: number; errors: ProblemError[] })
  | Failure<ImportRefusal>;

export type SentImport = {
  body: ImportBody;
  sender: OfficeCaller;
  /** The id of the preceding check, which a person's import must have. */
  importId: string | undefined;
  fileName: string | undefined;
};

/**
 * Imports an office's invoices, all or none. Each check imports once, however often the file is sent again after a lost
 * answer. Rows stream into a table private to this import; one transaction then applies the differences.
 */
export async function importInvoices(
  deps: Deps,
  takeTurn: TakeTurn,
  sent: SentImport,
): Promise<ImportOutcome> {
  const { body, sender, fileName } = sent;
  const importId = sent.importId ?? randomUUID();
  if (sent.importId === undefined) {
    if (sender.kind === 'staff') return fail('unchecked');
    await beginUnchecked(deps.db.query, { importId, sender, fileName });
  } else if (!(await beginChecked(deps.db.query, { importId, sender }))) {
    return answerAgain(deps, { importId, sender, body });
  }
  const checked =
    sent.importId === undefined ? undefined : await findSent(deps.db.query, { importId, sender });
  try {
    const outcome = await takeTurn(() =>
      stageAndApply(deps, { importId, body, sender, sha256: checked?.sha256 ?? null }),
    );
    const ended = outcome.ok ? outcome.value : outcome;
    if (!ended.ok && ended.code !== 'bad-lines') {
      const state = checked ? 'checked' : 'broken-off';
      await endWithout(deps.db.query, { importId, state });
    }
    return ended;
  } catch (error) {
    // If this fails too, the hourly task ends the row.
    await endWithout(deps.db.query, { importId, state: 'broken-off' }).catch(() => {});
    throw error;
  }
}

/** Replays the answer of a finished import, if the file is the same. */
async function answerAgain(
  deps: Deps,
  { importId, sender, body }: { importId: string; sender: OfficeCaller; body: ImportBody },
): Promise<ImportOutcome> {
  const sent = await findSent(deps.db.query, { importId, sender });
  if (!sent) return fail('not-found');
  if (sent.state === 'applying') return fail('under-way');
  if (sent.state !== 'applied') return fail('unchecked');
  body.drop();
  const { sha256 } = await body.digest;
  return sha256 === sent.sha256 ? ok(await findImported(deps.db.query, { importId })) : fail('another-file');
}

async function stageAndApply(
  deps: Deps,
  given: { importId: string; body: ImportBody; sender: OfficeCaller; sha256: string | null },
): Promise<ImportOutcome> {
  const { importId, body, sender } = given;
  const { query } = deps.db;
  const faultsOf = await readImportScope(query, sender);
  return withStagedRows(deps, { importId, body, faultsOf }, async (connection, { total, faults, digest }) => {
    if (given.sha256 !== null && digest.sha256 !== given.sha256) return fail('another-file');
    if (faults.count > 0) {
      await endRefused(query, { importId, count: faults.count, faults: faults.named, digest });
      return fail('bad-lines', { count: faults.count, errors: faults.errors });
    }
    const applied = await applyRows(deps, connection, { importId, sender, total, digest });
    // A connection outside the pool has no hook through which the proof could install this crash point.
    deps.crashPoint('33-after-import');
    return applied;
  });
}

function applyRows(
  deps: Pick<Deps, 'crashPoint'>,
  connection: OwnConnection,
  given: { importId: string; sender: OfficeCaller; total: number; digest: FileDigest },
): Promise<Success<ImportCounts> | Failure<'access-changed'>> {
  const { importId, sender, total, digest } = given;
  return allOrNothing(connection, async (tx) => {
    await lockImports(tx);
    await rememberBefore(tx);
    // Headquarters may have renamed an office while a clerk's file arrived.
    if (mayChangeOffices(sender)) await upsertFranchises(tx);
    await upsertPlaces(tx);
    const inserted = await insertInvoices(tx, { importId });
    // Lock first and compare again in a later statement: a payment may have been accepted during the wait.
    await lockAffectedInvoices(tx);
    await keepUnmentionedWithCustomers(tx);
    const changed = await updateInvoices(tx);
    const overpaid = [...inserted.overpaid, ...changed.overpaid];
    await keepChanges(tx, { importId });
    const franchiseIds = await keepCounts(tx, { importId, overpaid });
    await tellOfOverpayments(tx, { overpaid });
    // The file took minutes to arrive, and then waited for locks. Ask last, so that little is waited for after this.
    // Whoever has only signed out still imports what they sent.
    if (!(await isStillInScope(tx, sender))) return fail('access-changed');
    const { created } = inserted;
    const { updated } = changed;
    const unchanged = total - created - updated;
    await endApplied(tx, { importId, digest });
    await recordAct(tx, sender, {
      action: 'import',
      subject: 'invoices',
      ...ofOffices(franchiseIds),
      after: { importId, created, updated, unchanged, overpaid: overpaid.length },
    });
    deps.crashPoint('33-inside-import');
    return ok({ created, updated, unchanged, overpaid });
  });
}
