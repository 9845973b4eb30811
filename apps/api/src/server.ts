import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { buildApp } from './app.ts';
import { createFollowedClock, followEngineClock } from './db/clock/follow-engine-clock.ts';
import { LostConnection } from './db/lost-connection.ts';
import { prepareDatabase } from './db/prepare/prepare-database.ts';
import { readEnv } from './env.ts';
import { watchConnections } from './http/end-connections.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { createLog } from './log.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { FINISH_MILLISECONDS } from './modules/payments/pay/payments.routes.ts';
import { watchBooks } from './modules/payments/restore/watch-books.ts';
import { openDeps } from './open-deps.ts';
import { isBuilt } from './pages/pages.ts';

/** Longer than draining plus the longest payment. */
const END_MILLISECONDS = 140_000;
/** Even requests that are still being worked on lose their connections then, so that everything else can end in order. */
const END_CONNECTIONS_MILLISECONDS = END_MILLISECONDS - 5_000;
/** How long clients have to read what was answered, once the payments are finished. */
const GRACE_MILLISECONDS = 10_000;
const WEB_FOLDER = fileURLToPath(new URL('../../web/build/client', import.meta.url));
const OFFICE_FOLDER = fileURLToPath(new URL('../../office/build/client', import.meta.url));

const END_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** While it starts, a signal ends the process at once: whatever it has begun is safe to begin again. */
const endAtOnce = () => process.exit(0);

async function main(): Promise<void> {
  // Said at once, because the first process of a container ignores signals that it doesn't listen for.
  for (const signal of END_SIGNALS) process.on(signal, endAtOnce);
  const env = readEnv(process.env);
  await prepareDatabase(env, createLog(env.LOG_LEVEL));
  const clock = createFollowedClock();
  const deps = await openDeps(env, { clock: clock.now, hostClock: () => new Date() });
  await clock.look(deps.db.query);
  const { log } = deps;
  const isWebBuilt = isBuilt(WEB_FOLDER);
  if (!isWebBuilt) log.warn('the web app is not built: serving the API alone');
  const isOfficeBuilt = isBuilt(OFFICE_FOLDER);
  if (!isOfficeBuilt) log.warn('the office console is not built: nothing is served below /office/');
  const app = await buildApp(deps, {
    ...(isWebBuilt && { webFolder: WEB_FOLDER }),
    ...(isOfficeBuilt && { officeFolder: OFFICE_FOLDER }),
  });
  const connections = watchConnections(app.server);
  const jobs = await runJobs(deps);
  const books = watchBooks(deps);
  const following = followEngineClock(clock, deps.db, log);
  const metrics =
    env.METRICS_PORT === undefined
      ? null
      : await serveMetrics(deps, {
          port: env.METRICS_PORT,
          host: env.METRICS_HOST,
          lanes: jobs.states,
          skewSeconds: clock.skewSeconds,
        });

  let endingSince: number | null = null;
  const close = async () => {
    if (endingSince !== null) {
      // A second signal forces the exit; everything is safe to resume. A terminal and npm may both pass on one key
      // press, so ignore the first second.
      if (performance.now() - endingSince > 1_000) process.exit(1);
      return;
    }
    endingSince = performance.now();
    setTimeout(() => process.exit(1), END_MILLISECONDS).unref();
    setTimeout(connections.endAll, END_CONNECTIONS_MILLISECONDS).unref();
    deps.underWay.end();
    await sleep(env.DRAIN_SECONDS * 1000);
    books.stop();
    following.stop();
    const closing = Promise.all([app.close(), jobs.stop()]);
    await deps.underWay.finished({ withinMilliseconds: FINISH_MILLISECONDS });
    const stopEnding = connections.endIdle({ graceMilliseconds: GRACE_MILLISECONDS });
    await closing;
    stopEnding();
    await metrics?.close();
    await deps.db.close();
    await deps.reporter.close();
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends');
    deps.reporter.close().finally(() => process.exit(1));
  });
  for (const signal of END_SIGNALS) process.off(signal, endAtOnce).on(signal, close);

  await app.listen({ port: env.PORT, host: env.HOST });
  log.info({ url: env.PUBLIC_URL }, 'portal listening');
}

/** A failed statement's own message is its text with its values, secrets among them, and not the database's reason. */
function whyNotStarted(error: unknown): string {
  const reason = error instanceof DrizzleQueryError ? error.cause : error;
  if (reason instanceof LostConnection && reason.cause instanceof Error)
    return `The database of DATABASE_URL cannot be reached: ${reason.cause.message}`;
  return reason instanceof Error ? reason.message : String(reason);
}

main().catch((error: unknown) => {
  process.stderr.write(`${whyNotStarted(error)}\n`);
  // Exit explicitly: jobs may already be running and would keep the process alive.
  process.exit(1);
});
