import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from '../../../../../apps/api/src/env.ts';
import { buildServer } from '../../../../../apps/api/test/bundle.ts';
import { findFreePort } from '../../../../../tools/machine/find-free-port.ts';

/** One process of the portal, as deployed. */
export type PortalProcess = {
  url: string;
  port: number;
  process: ChildProcess;
  /** Resolves when it answers. */
  ready: Promise<void>;
  /** Resolves when it has ended, with its exit code and the signal that ended it. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Every line it logged, unless its log goes to a file. */
  log: LogLine[];
  /** Stops it gracefully, and waits. */
  stop(): Promise<void>;
  /** Kills it, and waits. */
  kill(): Promise<void>;
};

export type LogLine = { level: string; msg: string; alert?: string; what?: string };

export type PortalProcessOptions = {
  settings?: Record<string, string>;
  /** Modules to load before the portal. */
  preload?: string[];
  nodeOptions?: string[];
  program?: string;
  /** Writes its log into this file instead. */
  logFile?: string;
};

/** Starts a process and waits until it answers. */
export async function startPortalProcess(
  env: Env,
  options: PortalProcessOptions = {},
): Promise<PortalProcess> {
  const started = await spawnPortalProcess(env, options);
  await started.ready;
  return started;
}

/** Starts a process that may be killed before it answers. */
export async function spawnPortalProcess(
  env: Env,
  { settings = {}, preload = [], nodeOptions = [], program, logFile }: PortalProcessOptions = {},
): Promise<PortalProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const log: LogLine[] = [];
  let complaint = '';
  const child = spawn(
    process.execPath,
    [...nodeOptions, ...preload.flatMap((module) => ['--import', module]), program ?? (await buildServer())],
    {
      stdio: ['ignore', logFile ? openSync(logFile, 'a') : 'pipe', 'pipe'],
      env: {
        ...settingsOf(env),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'info',
        ...settings,
        PORT: String(port),
      },
    },
  );
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  readLines(child, (line) => log.push(line));
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const ready = untilReady(url, child, () => complaint || JSON.stringify(log.at(-1)));
  ready.catch(() => {});
  const started: PortalProcess = {
    ready,
    url,
    port,
    process: child,
    ended,
    log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  void ended.then(() => process.off('exit', endWithUs));
  return started;
}

async function untilReady(url: string, child: ChildProcess, complaint: () => string): Promise<void> {
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the portal did not start: ${complaint()}`);
    }
    await wait(20);
  }
}

/** Settings as environment variables: lists joined by commas, unset ones left out. */
function settingsOf(env: Env): Record<string, string> {
  const given = Object.entries(env).filter(
    ([name, value]) => name !== 'TRUST_PROXY' && (value ?? null) !== null,
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function readLines(child: ChildProcess, take: (line: LogLine) => void): void {
  let rest = '';
  child.stdout?.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) take(JSON.parse(line));
  });
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health/ready`)).ok;
  } catch {
    return false;
  }
}
