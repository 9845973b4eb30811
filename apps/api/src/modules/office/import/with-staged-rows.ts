import { type OwnConnection, openOwnConnection } from '../../../db/own-connection.ts';
import type { Deps } from '../../../deps.ts';
import type { FileDigest, ImportBody } from '../rows/import-body.ts';
import { noteRowsRead } from './import-record.queries.ts';
import type { ImportScope } from './import-scope.ts';
import { type Staged, stageRows } from './stage-rows.ts';

/** Stages a file's rows on a connection of their own, which is closed after `use`. */
export async function withStagedRows<Result>(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  { importId, body, faultsOf }: { importId: string; body: ImportBody; faultsOf: ImportScope },
  use: (connection: OwnConnection, staged: Staged & { digest: FileDigest }) => Promise<Result>,
): Promise<Result> {
  const connection = await openOwnConnection({
    url: env.DATABASE_URL,
    applicationName: 'brightpane import',
    wakeUps: db.wakeUps,
  });
  try {
    const onRead = (rows: number) => noteRowsRead(db.query, { importId, rows });
    const staged = await stageRows(connection, { rows: body.rows(), faultsOf, onRead });
    return await use(connection, { ...staged, digest: await body.digest });
  } finally {
    await connection.close();
  }
}
