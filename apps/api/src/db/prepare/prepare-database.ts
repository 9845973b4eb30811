import type { Logger } from 'pino';
import type { Env } from '../../env.ts';
import { migrate } from '../migrate.ts';
import { UnreachableDatabase } from './connect-to-prepare.ts';
import { grantAppRights, grantReaderRights } from './grant-rights.ts';

/** Migrates the database and grants rights, as its owner if that is a separate role. */
export async function prepareDatabase(env: Env, log?: Pick<Logger, 'warn'>): Promise<void> {
  const ownerUrl = env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL;
  try {
    await migrate(ownerUrl, { log });
    if (env.MIGRATION_DATABASE_URL) await grantAppRights({ ownerUrl, appUrl: env.DATABASE_URL });
    if (env.DATABASE_READER) await grantReaderRights({ ownerUrl, role: env.DATABASE_READER });
  } catch (error) {
    if (error instanceof UnreachableDatabase) {
      const setting = error.isOf(env.DATABASE_URL) ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
      throw new Error(`The database of ${setting} cannot be reached: ${error.why}`, { cause: error });
    }
    const setting = env.MIGRATION_DATABASE_URL ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The database of ${setting} cannot be prepared: ${why}`, { cause: error });
  }
}
