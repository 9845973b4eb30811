import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { waitUntil } from '../races/wait-until.ts';
import { openOwnPostgres, type PostgresOfOurOwn } from './own-postgres.ts';
import { makeWish, payInTheEnd, pressAttacked, type Wish } from './pay-in-the-end.ts';
import type { EnvironmentRig, Surroundings } from './rig.ts';

const DISK = '192m';
const WAL = '32MB';
const CHUNK_BYTES = [1 << 20, 1 << 12];
/** More than fit into the tables' existing pages. */
const MOST_PAYMENTS = 40;

const diskFull: Attack<EnvironmentRig> = {
  id: 'F37',
  name: 'a full disk under the database or its log: payments are refused, and clean once there is room',
  runs: 4,
  async run(rig, { run }) {
    const folder = mountSmallDisk(rig);
    await chmod(folder, 0o711);
    const settings = { min_wal_size: WAL, max_wal_size: WAL };
    const postgres = await openOwnPostgres(rig.emulator, { folder, settings });
    rig.afterRun.push(() => postgres.close());
    const { people } = postgres;
    const wishes: Wish[] = [];
    for (let count = 0; count < MOST_PAYMENTS; count++) {
      wishes.push(await makeWish(people, { accounts: count % 2 === 0 ? 'guest' : 1 }));
    }
    const ballast = join(folder, 'ballast');
    await fill(ballast);
    // Forces a new log segment, for which there is no space.
    if (run % 2 === 1) await people.instances[0].deps.db.pool.query('SELECT pg_switch_wal()').catch(() => {});
    const tried: Wish[] = [];
    for (const wish of wishes) {
      tried.push(wish);
      const told = await pressAttacked(people, wish);
      if (told.heard !== 'paid') break;
      if (tried.length === MOST_PAYMENTS) throw new Error('the disk was not full');
    }
    await rm(ballast);
    await untilDatabaseAnswers(postgres);
    for (const wish of tried) await payInTheEnd(people, wish);
    await judgeSwept(people);
  },
};

/** Only root may mount a small disk. */
export const diskTroubles: Attack<EnvironmentRig>[] = process.getuid?.() === 0 ? [diskFull] : [];

function mountSmallDisk(rig: EnvironmentRig): string {
  const folder = mkdtempSync(join(tmpdir(), 'brightpane-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
  rig.afterRun.push(async () => {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (const bytes of CHUNK_BYTES) {
      const chunk = Buffer.alloc(bytes);
      await writeUntilFull(() => handle.write(chunk));
    }
  } finally {
    await handle.close();
  }
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

/** Judged right away, because its books are gone after the run. */
async function judgeSwept({ instances: [{ deps }], emulator, told }: Surroundings): Promise<void> {
  const wrong = await sweepAndJudge(deps, { emulator, told });
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Postgres recovers by itself, or has given up and is started again. */
async function untilDatabaseAnswers({ start, people }: PostgresOfOurOwn): Promise<void> {
  const { pool } = people.instances[0].deps.db;
  await waitUntil(async () => {
    await start();
    return pool.query('SELECT').then(
      () => true,
      () => false,
    );
  }, 'the database answers again');
}
