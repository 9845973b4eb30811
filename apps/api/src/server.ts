import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { prepareDatabase } from './db/prepare-database.ts';
import { readEnv } from './env.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { openDeps } from './open-deps.ts';
import { isBuilt } from './pages/pages.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../web/build/client', import.meta.url));

async function main(): Promise<void> {
  const env = readEnv(process.env);
  await prepareDatabase(env);
  const deps = await openDeps(env);
  const { log } = deps;
  const isWebBuilt = isBuilt(WEB_FOLDER);
  if (!isWebBuilt) log.warn('the web app is not built: serving the API alone');
  const app = await buildApp(deps, isWebBuilt ? { webFolder: WEB_FOLDER } : {});
  const jobs = await runJobs(deps);
  const metrics =
    env.METRICS_PORT === undefined
      ? null
      : await serveMetrics(deps, { port: env.METRICS_PORT, host: env.METRICS_HOST });

  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    await app.close();
    await jobs.stop();
    await metrics?.close();
    await deps.db.close();
    await deps.reporter.close();
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends');
    deps.reporter.close().finally(() => process.exit(1));
  });
  process.on('SIGTERM', close);
  process.on('SIGINT', close);

  await app.listen({ port: env.PORT, host: env.HOST });
  log.info({ url: env.PUBLIC_URL }, 'portal listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
