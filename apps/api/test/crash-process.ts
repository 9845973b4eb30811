import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../src/app.ts';
import { CRASH_POINTS, type CrashPoint } from '../src/crash-points.ts';
import { readEnv } from '../src/env.ts';
import { runJobs } from '../src/jobs/run-jobs.ts';
import { openDeps } from '../src/open-deps.ts';

// The portal as a process of its own, which kills itself where CRASH_AT says: `10-after-accept:2` at the second pass.

const [point = '', pass = '1'] = (process.env.CRASH_AT ?? '').split(':');
if (!Object.hasOwn(CRASH_POINTS, point)) throw new Error(`no crash point ${point}`);

let passes = 0;
function crashPoint(reached: CrashPoint): void {
  if (reached !== point) return;
  passes++;
  if (passes === Number(pass)) process.kill(process.pid, 'SIGKILL');
}

const now = new Date(process.env.TEST_NOW ?? '');
const deps = await openDeps(readEnv(process.env), { clock: () => now, crashPoint });
const app = await buildApp(deps);
if (point === '11-half-answered') {
  app.server.prependListener('request', (_request: unknown, response: ServerResponse) => halve(response));
}
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listening on ${(app.server.address() as AddressInfo).port}\n`);
await runJobs(deps);

/** Sends half of the answer, and then whatever the crash point does. */
function halve(response: ServerResponse): void {
  const end = response.end.bind(response);
  response.end = ((body: string) => {
    response.write(body.slice(0, body.length / 2), () => {
      crashPoint('11-half-answered');
      end(body.slice(body.length / 2));
    });
    return response;
  }) as ServerResponse['end'];
}
