import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../../tools/embedded-postgres.ts';
import { findFreePort } from '../../../tools/find-free-port.ts';
import { makeThrowAwayFolder } from '../../../tools/throw-away-folder.ts';
import { migrate } from '../src/db/migrate.ts';

const SERVER = fileURLToPath(new URL('../src/server.ts', import.meta.url));

export const BENCH_SECRETS = { apiSecret: 'bench-api-secret', officeApiKey: 'bench-office-key' };

export type BenchPortal = { url: string; databaseUrl: string; process: ChildProcess };

/** Measures the portal as a process of its own, on a Postgres that syncs its writes; both are gone afterwards. */
export async function withBenchPortal<Result>(
  settings: Record<string, string>,
  measure: (portal: BenchPortal) => Promise<Result>,
): Promise<Result> {
  const folder = await makeThrowAwayFolder({ onDisk: true });
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  let child: ChildProcess | undefined;
  try {
    await migrate(postgres.url);
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [SERVER], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        NODE_ENV: 'test',
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: url,
        DATABASE_URL: postgres.url,
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
        LOG_LEVEL: 'error',
        ...settings,
      },
    });
    while (child.exitCode === null && !(await isReady(url)));
    // Whoever answers there now would be somebody else.
    if (child.exitCode !== null) throw new Error('the portal did not start');
    return await measure({ url, databaseUrl: postgres.url, process: child });
  } finally {
    if (child && child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health/ready`)).ok;
  } catch {
    return false;
  }
}
