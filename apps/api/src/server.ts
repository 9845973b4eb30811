import pino from 'pino';
import { buildApp } from './app.ts';
import { createSecretBox } from './crypto/secret-box.ts';
import { openDatabase } from './db/client.ts';
import { migrate } from './db/migrate.ts';
import { readEnv } from './env.ts';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const log = pino({ level: env.LOG_LEVEL });
  await migrate(env.DATABASE_URL);
  const db = openDatabase({ url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE });
  const app = await buildApp({
    db,
    env,
    log,
    clock: () => new Date(),
    secretBox: createSecretBox(env.DATA_KEY),
  });

  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    await app.close();
    await db.close();
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);

  await app.listen({ port: env.PORT, host: env.HOST });
  log.info({ url: env.PUBLIC_URL }, 'portal listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
