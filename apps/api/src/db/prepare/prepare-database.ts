import type { Logger } from 'pino';
import type { Env } from '../../env.ts';
import { migrate } from '../migrate.ts';
import { grantAppRights, grantReaderRights } from './grant-rights.ts';

/** Migrates the database and grants rights, as its owner if that is a separate role. */
export async function prepareDatabase(env: Env, log?: Pick<Logger, 'warn'>): Promise<void> {
  const ownerUrl = env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL;
  await migrate(ownerUrl, { log });
  if (env.MIGRATION_DATABASE_URL) await grantAppRights({ ownerUrl, appUrl: env.DATABASE_URL });
  if (env.DATABASE_READER) await grantReaderRights({ ownerUrl, role: env.DATABASE_READER });
}
