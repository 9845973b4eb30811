import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningEmulator, startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import pg from 'pg';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from '../../apps/api/bench/rig/bench-portal.ts';
import { end } from '../bench/at-end.ts';
import { startKeyingProxy } from './keying-proxy.ts';
import { addressesToScan, prepareTargets, type Target } from './targets.ts';

// Scans a portal on loopback with sqlmap, wapiti and slowhttptest (`apt-get install sqlmap wapiti slowhttptest`).
// `node tools/scan/scan.ts FOLDER SECONDS [SCAN …]` writes their output into the folder, and stops each scan in time.
// A scan is a target of sqlmap, `wapiti` or `slow`; the default is all.

const [folder = 'scan-results', seconds = '120', ...only] = process.argv.slice(2);
const MERCHANT = {
  USAEPAY_API_KEY: '_emulatorPortalApiKey00000000000',
  USAEPAY_PIN: '1000',
  USAEPAY_PUBLIC_KEY: '_emulatorPortalPublicKey0000000000000000000000',
};

await mkdir(folder, { recursive: true });
const emulator: RunningEmulator = await startEmulator();
try {
  const settings = { USAEPAY_URL: `${emulator.url}/api/v2`, ...MERCHANT };
  await withBenchPortal(settings, async (portal) => {
    const database = new pg.Pool({ connectionString: portal.databaseUrl, max: 1 });
    const keyed = await startKeyingProxy(portal.url);
    const targets = await prepareTargets(keyed.url, database);
    // Rate limits would answer instead of the code under test.
    const forgetting = setInterval(
      () => void database.query('DELETE FROM limit_counter').catch(() => {}),
      100,
    );
    const isWanted = (name: string) => only.length === 0 || only.includes(name);
    for (const target of targets.filter(({ name }) => isWanted(name))) await runSqlmap(target);
    keyed.close();
    if (isWanted('wapiti')) await runWapiti(portal);
    clearInterval(forgetting);
    if (isWanted('slow')) await runSlowHttp(portal);
    await database.end();
  });
} finally {
  await end();
  await emulator.close();
}

/** Runs a program for at most that long, and writes its output to a file in the folder. */
async function run(name: string, program: string, args: string[]): Promise<void> {
  const log = createWriteStream(join(folder, `${name}.log`));
  const child = spawn('timeout', [seconds, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise((resolve) => child.once('close', resolve));
  log.end();
  process.stdout.write(`${name}: ended with ${code}${code === 124 ? ', out of time' : ''}\n`);
}

async function runSqlmap({ name, request }: Target): Promise<void> {
  const file = join(folder, `${name}.http`);
  await writeFile(file, request);
  const looking = [
    '--level',
    '3',
    '--risk',
    '2',
    '--time-sec',
    '3',
    '--ignore-code',
    '401',
    '--skip',
    'user-agent,referer,host',
  ];
  const quietly = [
    '--batch',
    '--ignore-stdin',
    '--flush-session',
    '--disable-coloring',
    '--retries',
    '0',
    '--threads',
    '4',
  ];
  await run(`sqlmap-${name}`, 'sqlmap', [
    ...['-r', file, '--dbms', 'postgresql', '--output-dir', join(folder, 'sqlmap')],
    ...looking,
    ...quietly,
  ]);
}

/** Pages are rendered in the browser, so wapiti finds only the first one by itself and is given the others. */
async function runWapiti({ url }: BenchPortal): Promise<void> {
  const starts = (await addressesToScan(url)).flatMap((address) => ['-s', address]);
  await run('wapiti', 'wapiti', [
    ...['-u', `${url}/`, ...starts, '--scope', 'domain', '-l', '2', '--flush-session', '--no-bugreport'],
    ...['-m', 'all,-nikto,-wapp,-ssrf'],
    ...['-H', `X-APISecret: ${BENCH_SECRETS.apiSecret}`, '-f', 'json', '-o', join(folder, 'wapiti.json')],
    ...['--max-scan-time', String(Math.floor(Number(seconds) * 0.8)), '-v', '1'],
  ]);
}

async function runSlowHttp({ url }: BenchPortal): Promise<void> {
  const much = ['-c', '400', '-r', '100', '-i', '5', '-l', '40', '-p', '5'];
  const page = ['-u', `${url}/api/health/ready`];
  await run('slow-headers', 'slowhttptest', ['-H', ...much, ...page]);
  const login = ['-u', `${url}/api/authentication/login`, '-s', '8192', '-x', '10'];
  await run('slow-bodies', 'slowhttptest', ['-B', ...much, ...login]);
  await run('slow-reading', 'slowhttptest', [
    '-X',
    ...much,
    '-w',
    '1',
    '-y',
    '2',
    '-z',
    '1',
    '-u',
    `${url}/`,
  ]);
}
