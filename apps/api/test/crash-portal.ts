import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CrashPoint } from '../src/crash-points.ts';
import { TEST_SECRETS, type TestApp } from './build-test-app.ts';

const PROCESS = fileURLToPath(new URL('./crash-process.ts', import.meta.url));

export type CrashingPortal = {
  /** `null` where the process died before it had answered. */
  post(path: string, body: unknown, options?: { token?: string; key?: string }): Promise<CrashAnswer | null>;
  /** The signal that the process died of. */
  died: Promise<NodeJS.Signals | null>;
};

export type CrashAnswer = { status: number; body: Record<string, unknown> };

/** Another instance on the database of the test's own, in a process that kills itself at a point. */
export async function startCrashingPortal(
  portal: TestApp,
  { point, pass = 1 }: { point: CrashPoint; pass?: number },
): Promise<CrashingPortal> {
  const env = Object.fromEntries(
    Object.entries({ ...portal.deps.env, DATA_KEY: portal.deps.env.DATA_KEY.join(',') })
      .filter(([name]) => name !== 'TRUST_PROXY')
      .map(([name, value]) => [name, String(value)]),
  );
  const child = spawn(process.execPath, [PROCESS], {
    env: { ...env, CRASH_AT: `${point}:${pass}`, TEST_NOW: portal.now.toISOString() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const died = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const port = await listening(child);
  return {
    died,
    async post(path, body, { token, key } = {}) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-apisecret': TEST_SECRETS.apiSecret,
            ...(token && { authorization: `Bearer ${token}` }),
            ...(key && { 'idempotency-key': key }),
          },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      } catch {
        return null;
      }
    },
  };
}

async function listening(child: ChildProcess): Promise<number> {
  let said = '';
  let complained = '';
  child.stderr?.on('data', (chunk) => {
    complained += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const [, port] = /listening on (\d+)/.exec(said) ?? [];
    if (port) return Number(port);
  }
  throw new Error(`the portal did not start: ${complained}`);
}
