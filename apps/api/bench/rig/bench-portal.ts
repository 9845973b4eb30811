import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import { API_SERVER, buildApiApart, SERVER_OPTIONS } from '../../../../tools/build-api-apart.ts';
import { findFreePort } from '../../../../tools/machine/find-free-port.ts';
import { type BenchDatabase, benchDatabase } from './bench-database.ts';

export const BENCH_SECRETS = {
  apiSecret: 'an api secret that is only for benches',
  officeApiKey: 'an office key that is used only in benches',
};

export type BenchPortal = {
  url: string;
  databaseUrl: string;
  database: BenchDatabase;
  process: ChildProcess;
};

let building: Promise<void> | undefined;

/** Measures the portal as in production: its own process on its own database. Both are gone afterwards. */
export async function withBenchPortal<Result>(
  settings: Record<string, string>,
  measure: (portal: BenchPortal) => Promise<Result>,
  { short = false }: { short?: boolean } = {},
): Promise<Result> {
  const database = await benchDatabase({ short });
  const portal = await startBenchPortal(database, settings);
  try {
    return await measure(portal);
  } finally {
    await stopBenchPortal(portal);
    await database.drop();
  }
}

/** Starts an instance and waits until it is ready. */
export async function startBenchPortal(
  database: BenchDatabase,
  settings: Record<string, string>,
): Promise<BenchPortal> {
  building ??= buildApiApart();
  await building;
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...SERVER_OPTIONS, API_SERVER], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...benchSettings({ url, databaseUrl: database.url }), PORT: String(port), ...settings },
  });
  const portal = { url, databaseUrl: database.url, database, process: child };
  atEnd(() => stopBenchPortal(portal));
  while (child.exitCode === null && !(await isReady(url))) await sleep(5);
  // Otherwise another process would be answering on its port.
  if (child.exitCode !== null) throw new Error('the portal did not start');
  return portal;
}

/** Default settings of a measured portal. */
export function benchSettings({ url, databaseUrl }: { url: string; databaseUrl: string }) {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    OFFICE_URL: url.replace('127.0.0.1', 'localhost'),
    DATABASE_URL: databaseUrl,
    USAEPAY_URL: 'http://127.0.0.1:1/api/v2',
    USAEPAY_API_KEY: 'unused',
    USAEPAY_PIN: 'unused',
    USAEPAY_PUBLIC_KEY: '_unused',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@example.com',
    API_SECRET: BENCH_SECRETS.apiSecret,
    TOKEN_SECRET: 'a token secret that is only for benches',
    DATA_KEY: 'a data key that is used only in benches',
    OFFICE_API_KEY: BENCH_SECRETS.officeApiKey,
  };
}

export async function stopBenchPortal({ process: child }: Pick<BenchPortal, 'process'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health/ready`)).ok;
  } catch {
    return false;
  }
}
