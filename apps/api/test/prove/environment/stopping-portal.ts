import { buildApp } from '../../../src/app.ts';
import { readEnv } from '../../../src/env.ts';
import { openDeps } from '../../../src/open-deps.ts';

// The portal as a process that stops itself, as SIGSTOP does, the first time that it passes the point in STOP_AT. It
// runs no background tasks, so that nothing but a payment passes there.

let hasStopped = false;
const env = readEnv(process.env);
const deps = await openDeps(env, {
  crashPoint(point) {
    if (point !== process.env.STOP_AT || hasStopped) return;
    hasStopped = true;
    process.kill(process.pid, 'SIGSTOP');
  },
});
const app = await buildApp(deps);
await app.listen({ port: env.PORT, host: env.HOST });
