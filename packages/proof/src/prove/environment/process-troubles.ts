import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweepCharges } from '../../../../../apps/api/test/books/sweep.ts';
import type { Attack } from '../attack.ts';
import {
  type PortalProcess,
  type PortalProcessOptions,
  startPortalProcess,
} from '../instances/portal-process.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { waitUntil } from '../races/wait-until.ts';
import { makeWish, payInTheEnd } from './pay-in-the-end.ts';
import type { EnvironmentRig } from './rig.ts';

export const SHIFT_CLOCKS = fileURLToPath(new URL('./shift-clocks.ts', import.meta.url));
const HURT_PROCESS = fileURLToPath(new URL('./hurt-process.ts', import.meta.url));
const STOPPING_PORTAL = fileURLToPath(new URL('./stopping-portal.ts', import.meta.url));

/** Longer than a lease, and than the deadline of a payment on one merchant account. */
const ASLEEP_SECONDS = 120;
const LEASE_SECONDS = 60;
const BLOCKED_MILLISECONDS = 5_000;
const HEALTH_MILLISECONDS = 1_000;

export const processTroubles: Attack<EnvironmentRig>[] = [
  {
    id: 'F38',
    name: 'a full disk for logs stops no payment',
    runs: 2,
    async run(rig, { run }) {
      const portal = await startForRun(rig, { logFile: '/dev/full' });
      for (const accounts of [run === 0 ? 'guest' : 1, 3] as const) {
        const wish = await makeWish(rig, { accounts });
        const told = await pressOverNetwork(portal.url, await wish.press());
        rig.told.push(told);
        if (told.heard !== 'paid') throw new Error(`with a full disk for logs: ${told.status}`);
      }
      if (portal.process.exitCode !== null) throw new Error('the process has ended');
    },
  },
  {
    id: 'F40',
    name: 'a process that slept through its deadline just before it sends does not send',
    runs: 10,
    async run(rig, { run }) {
      const point = run % 2 === 0 ? '03-after-claim' : '04-socket-open';
      const accounts = ([1, 'guest', 3] as const)[run % 3] ?? 'guest';
      const clock = await makeClockFile(rig);
      const portal = await startForRun(rig, {
        program: STOPPING_PORTAL,
        preload: [SHIFT_CLOCKS],
        settings: { STOP_AT: point, CLOCK_FILE: clock.file },
      });
      const wish = await makeWish(rig, { accounts });
      const held = await countAtProvider(rig);
      const paying = pressOverNetwork(portal.url, await wish.press());
      await waitUntil(() => isStopped(portal.process.pid), 'the process has stopped');
      await clock.set({ monotonicSeconds: ASLEEP_SECONDS });
      const { deps } = rig.instances[0];
      await advanceEngineClock(deps, ASLEEP_SECONDS);
      portal.process.kill('SIGCONT');
      const told = await paying;
      rig.told.push(told);
      if (told.heard !== 'not charged') throw new Error(`it heard ${told.status} ${told.heard}`);
      if ((await countAtProvider(rig)) !== held) throw new Error('it was sent all the same');
      await payInTheEnd(rig, wish);
    },
  },
  {
    id: 'F41',
    name: 'a blocked event loop fails its health check, and what it worked on is done once',
    runs: 4,
    async run(rig, { run }) {
      const portal = await startForRun(rig, {
        preload: [HURT_PROCESS],
        settings: { HURT: 'block', HURT_MILLISECONDS: String(BLOCKED_MILLISECONDS) },
      });
      const { deps } = rig.instances[0];
      const wish = await makeWish(rig, { accounts: run % 2 === 0 ? 'guest' : 3 });
      const when = run < 2 ? 'before' : 'after';
      await rig.emulator.script({ fault: 'slow', seconds: 0.5, when, command: 'capture' });
      rig.told.push(await pressOverNetwork(portal.url, await wish.press()));
      await waitUntil(async () => (await countLeased(rig)) > 0, 'a charge is being captured');
      portal.process.kill('SIGUSR2');
      await waitUntil(async () => !(await isHealthy(portal)), 'the health check fails');
      await advanceEngineClock(deps, LEASE_SECONDS + 1);
      await sweepCharges(deps);
      await waitUntil(() => isHealthy(portal), 'it is healthy again');
      await payInTheEnd(rig, wish);
    },
  },
  {
    id: 'F42',
    name: 'a process that runs out of memory under load is as one that was killed',
    runs: 3,
    async run(rig, { run }) {
      const portal = await startForRun(rig, {
        preload: [HURT_PROCESS],
        nodeOptions: ['--max-old-space-size=96'],
        settings: { HURT: 'memory' },
      });
      const wishes = await Promise.all(
        ([1, 'guest', 3, 'guest'] as const).map((accounts) => makeWish(rig, { accounts })),
      );
      await rig.emulator.script({
        fault: 'slow',
        seconds: 1,
        when: run % 2 === 0 ? 'before' : 'after',
        command: 'authonly',
        times: 3,
      });
      portal.process.kill('SIGUSR2');
      const told = await Promise.all(
        wishes.map(async (wish) => pressOverNetwork(portal.url, await wish.press())),
      );
      rig.told.push(...told);
      const { code, signal } = await portal.ended;
      if (code === 0) throw new Error(`the process ended with ${code ?? signal}`);
      for (const wish of wishes) await payInTheEnd(rig, wish);
    },
  },
];

/** Starts another process of the portal and kills it after the run. */
export async function startForRun(rig: EnvironmentRig, options: PortalProcessOptions) {
  const started = await startPortalProcess(rig.env, options);
  rig.afterRun.push(started.kill);
  return started;
}

/** The file that a process with `shift-clocks.ts` reads its clocks from. */
export async function makeClockFile(rig: EnvironmentRig) {
  const folder = await mkdtemp(join(tmpdir(), 'brightpane-clock-'));
  rig.afterRun.push(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'clock');
  const set = ({ wallSeconds = 0, monotonicSeconds = 0 }) =>
    writeFile(file, `${wallSeconds * 1000} ${monotonicSeconds * 1000}`);
  await set({});
  return { file, set };
}

function isHealthy({ url }: PortalProcess): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_MILLISECONDS);
  return fetch(`${url}/api/health/live`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function isStopped(pid: number | undefined): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

async function countAtProvider({ emulator }: EnvironmentRig): Promise<number> {
  return (await emulator.ledger()).length;
}

async function countLeased({ instances: [{ deps }] }: EnvironmentRig): Promise<number> {
  const { rows } = await deps.db.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM charge WHERE lease_until > engine_now()`,
  );
  return rows[0]?.count ?? 0;
}
