import { on } from 'node:events';
import type { ServerResponse } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { CrashPoint } from '../../src/crash-points.ts';
import { openDatabase } from '../../src/db/client.ts';
import type { Env } from '../../src/env.ts';
import { openGateways } from '../../src/gateway/open-gateways.ts';
import { openDeps } from '../../src/open-deps.ts';
import { observeSeams } from './crash-seams.ts';

// A portal instance in its own process. It opens what it is told to and then kills itself at a point: while serving, or
// during a sweep past every wait and the comparison after it.

export type CrashOpening = { role: 'serve' | 'recover'; env: Env };
export type CrashOrder = { point: CrashPoint; pass: number; now: string };
export type CrashReport = { port: number } | 'armed' | 'recovered';

// Buffered until read: an order may arrive at any time.
const messages = on(process, 'message');
process.on('disconnect', () => process.exit());

let order: CrashOrder | undefined;
let passes = 0;
function crashPoint(reached: CrashPoint): void {
  if (reached !== order?.point) return;
  passes++;
  if (passes === order.pass) process.kill(process.pid, 'SIGKILL');
}

let now = new Date();
const { role, env } = await receive<CrashOpening>();
const seams = observeSeams(
  {
    db: openDatabase({ url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE }),
    gateways: openGateways({ baseUrl: env.USAEPAY_URL }),
  },
  crashPoint,
);
const deps = await openDeps(env, { ...seams, clock: () => now, crashPoint });
const run = role === 'serve' ? await prepareServing() : await prepareRecovering();
// Node keeps it at the end of a process, which a kill leaves out.
flushCompileCache();
const ordered = await receive<CrashOrder>();
order = ordered;
now = new Date(ordered.now);
await report('armed');
await run();

async function prepareServing(): Promise<() => Promise<unknown>> {
  const { buildApp } = await import('../../src/app.ts');
  const { runJobs } = await import('../../src/jobs/run-jobs.ts');
  const app = await buildApp(deps);
  halveAnswers(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  await report({ port: (app.server.address() as AddressInfo).port });
  return () => runJobs(deps);
}

async function prepareRecovering(): Promise<() => Promise<unknown>> {
  const { sweepUntilDone } = await import('../books/sweep.ts');
  const { compareBooks } = await import('../../src/modules/payments/books/compare-books.ts');
  await report({ port: 0 });
  return async () => {
    await sweepUntilDone(deps);
    await compareBooks(deps);
    await report('recovered');
    process.exit();
  };
}

async function receive<Message>(): Promise<Message> {
  const { value } = await messages.next();
  return (value as [Message])[0];
}

function report(message: CrashReport): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** For the point in the middle of an answer: sends half of it, then runs the hook. */
function halveAnswers({ server }: FastifyInstance): void {
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    if (order?.point !== '11-half-answered') return;
    const end = response.end.bind(response);
    response.end = ((body: string) => {
      response.write(body.slice(0, body.length / 2), () => {
        crashPoint('11-half-answered');
        end(body.slice(body.length / 2));
      });
      return response;
    }) as ServerResponse['end'];
  });
}
