import { buildApp } from '../../../../../apps/api/src/app.ts';
import { openDatabase } from '../../../../../apps/api/src/db/client.ts';
import { readEnv } from '../../../../../apps/api/src/env.ts';
import { openGateways } from '../../../../../apps/api/src/gateway/open-gateways.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { observeSeams } from '../../../../../apps/api/test/crashes/crash-seams.ts';

// A portal process that sends itself SIGSTOP the first time it passes the point in STOP_AT. It runs no background tasks,
// so that only a payment passes there.

let hasStopped = false;
const env = readEnv(process.env);
const opened = {
  db: openDatabase({ url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE }),
  gateways: openGateways({ baseUrl: env.USAEPAY_URL }),
};
const seams = observeSeams(opened, (point) => {
  if (point !== process.env.STOP_AT || hasStopped) return;
  hasStopped = true;
  process.kill(process.pid, 'SIGSTOP');
});
const deps = await openDeps(env, seams);
const app = await buildApp(deps);
await app.listen({ port: env.PORT, host: env.HOST });
