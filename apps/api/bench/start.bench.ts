import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { benchDatabase } from './rig/bench-database.ts';
import { type BenchPortal, startBenchPortal, stopBenchPortal } from './rig/bench-portal.ts';
import { fillBooks, signIn } from './rig/fill-books.ts';
import { ask, load } from './rig/http-load.ts';
import { cpuMilliseconds, residentMegabytes } from './rig/process-facts.ts';
import { ofRounds } from './rig/statistics.ts';

/** Long enough for the background tasks' first turn. */
const QUIET_SECONDS = 3;

/** The time from process start to first answer with the database up, and the memory held when idle and when busy. */
export default async function startBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const database = await benchDatabase({ short });
  await fillBooks(database.url, { short });
  // The first start builds, and isn't measured.
  let portal = await startBenchPortal(database, {});
  const ready: number[] = [];
  const cpu: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < (short ? 1 : 7); round++) {
    await stopBenchPortal(portal);
    const start = performance.now();
    portal = await startBenchPortal(database, {});
    ready.push(performance.now() - start);
    cpu.push(cpuMilliseconds(portal.process.pid));
    await sleep(short ? 0 : QUIET_SECONDS * 1000);
    idle.push(residentMegabytes(portal.process.pid));
  }
  const { lists, documents } = await atWork(portal, { short });
  await stopBenchPortal(portal);
  await database.drop();
  return [
    ofRounds({ name: 'cold start to ready', unit: 'ms', limit: { atMost: 1000 } }, ready),
    ofRounds({ name: 'CPU until ready', unit: 'ms' }, cpu),
    ofRounds({ name: 'memory, idle', unit: 'MB', limit: { atMost: 120 } }, idle),
    { name: 'memory after thousands of lists, 16 at once', value: lists, unit: 'MB' },
    { name: 'memory after twenty documents besides', value: documents, unit: 'MB' },
  ];
}

async function atWork(
  portal: BenchPortal,
  { short }: { short: boolean },
): Promise<{ lists: number; documents: number }> {
  const { headers } = await signIn(portal, 300);
  const list = { url: `${portal.url}/api/user/invoice`, headers };
  await load({ ...list, process: portal.process }, { seconds: short ? 0.2 : 6, atOnce: 16 });
  const lists = residentMegabytes(portal.process.pid);
  const agent = new Agent({ keepAlive: true });
  const invoices = JSON.parse(String(await ask(list, { agent }))) as { pngLink: string }[];
  for (const { pngLink } of invoices.slice(0, short ? 1 : 20)) {
    await ask({ url: new URL(pngLink, portal.url).href, headers: {} }, { agent });
  }
  agent.destroy();
  return { lists, documents: residentMegabytes(portal.process.pid) };
}
