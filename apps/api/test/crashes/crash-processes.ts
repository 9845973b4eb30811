import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CrashPoint } from '../../src/crash-points.ts';
import { TEST_SECRETS, type TestApp } from '../build-test-app.ts';
import { bundle, compiledCode } from '../bundle.ts';
import type { CrashOpening, CrashOrder, CrashReport } from './crash-process.ts';

export type CrashAnswer = { status: number; body: Record<string, unknown>; replayed: boolean };

export type CrashCall = {
  body?: unknown;
  token?: string;
  key?: string;
  type?: string;
  /** Sent instead of the headers of the payer's pages. */
  headers?: Record<string, string>;
};

export type CrashingPortal = {
  /** `null` if the process died before it answered. */
  call(method: string, path: string, options?: CrashCall): Promise<CrashAnswer | null>;
  post(path: string, body: unknown, options?: CrashCall): Promise<CrashAnswer | null>;
  /** Resolves once it has killed itself at its point; rejects if it didn't. */
  killed(): Promise<void>;
};

type Role = CrashOpening['role'];
type Started = { child: ChildProcess; port: number; died: Promise<NodeJS.Signals | null> };

const PROCESS = fileURLToPath(new URL('./crash-process.ts', import.meta.url));

/** After this a point counts as not reached. */
const PATIENCE_MILLISECONDS = 100_000;

/**
 * Further instances on `portal`'s database, in processes that kill themselves at a point. One of each role is started in
 * advance.
 */
export class CrashProcesses {
  readonly #portal: Pick<TestApp, 'deps' | 'now'>;
  readonly #ahead = new Map<Role, Promise<Started>>();
  readonly #children = new Set<ChildProcess>();

  constructor(portal: Pick<TestApp, 'deps' | 'now'>) {
    this.#portal = portal;
  }

  /** An instance that serves, runs the background tasks, and kills itself at the given pass of a point. */
  async crashAt(point: CrashPoint, pass = 1): Promise<CrashingPortal> {
    const started = await this.#take('serve');
    const unreached = setTimeout(() => started.child.kill(), PATIENCE_MILLISECONDS);
    void started.died.then(() => clearTimeout(unreached));
    await this.#arm(started, { point, pass });
    const call = (method: string, path: string, options: CrashCall = {}) =>
      ask(`http://127.0.0.1:${started.port}/api${path}`, method, options);
    return {
      call,
      post: (path, body, options = {}) => call('POST', path, { ...options, body }),
      async killed() {
        const signal = await started.died;
        if (signal !== 'SIGKILL') throw new Error(`${point} was not reached: ${signal}`);
      },
    };
  }

  /** Sweeps everything and compares the books; returns whether the instance killed itself at the point. */
  async recoverUntil(point: CrashPoint): Promise<boolean> {
    const started = await this.#take('recover');
    const reports: unknown[] = [];
    started.child.on('message', (report) => reports.push(report));
    await this.#arm(started, { point, pass: 1 });
    const signal = await started.died;
    if (signal === null && !reports.includes('recovered')) throw new Error('the recovery failed');
    return signal === 'SIGKILL';
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#ahead.values());
    for (const child of this.#children) child.kill('SIGKILL');
  }

  async #take(role: Role): Promise<Started> {
    const started = await (this.#ahead.get(role) ?? this.#start(role));
    const next = this.#start(role);
    // Its user gets the error.
    next.catch(() => {});
    this.#ahead.set(role, next);
    return started;
  }

  async #start(role: Role): Promise<Started> {
    const child = fork(await bundle(PROCESS), {
      execArgv: [],
      env: { NODE_COMPILE_CACHE: compiledCode() },
    });
    this.#children.add(child);
    const died = once(child, 'exit').then(([, signal]) => {
      this.#children.delete(child);
      return signal as NodeJS.Signals | null;
    });
    // Only settings of proxies don't survive as JSON, and there are none here.
    const opening: CrashOpening = { role, env: this.#portal.deps.env };
    child.send(opening);
    const said = await Promise.race([reportOf(child), died]);
    if (said === null || typeof said !== 'object') throw new Error(`the portal did not start: ${said}`);
    return { child, port: said.port, died };
  }

  async #arm({ child, died }: Started, { point, pass }: { point: CrashPoint; pass: number }): Promise<void> {
    const order: CrashOrder = { point, pass, now: this.#portal.now.toISOString() };
    // It may die before it can report.
    const armed = Promise.race([reportOf(child), died]);
    child.send(order);
    await armed;
  }
}

async function reportOf(child: ChildProcess): Promise<CrashReport> {
  const [report] = await once(child, 'message');
  return report as CrashReport;
}

async function ask(
  url: string,
  method: string,
  {
    body,
    token,
    key,
    type = 'application/json',
    headers = { 'x-apisecret': TEST_SECRETS.apiSecret },
  }: CrashCall,
): Promise<CrashAnswer | null> {
  const sent = request(url, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': type }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
  });
  try {
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    return {
      status: response.statusCode ?? 0,
      body: answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>),
      replayed: response.headers['idempotency-replayed'] === 'true',
    };
  } catch {
    return null;
  }
}
