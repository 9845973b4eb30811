import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { Attack, Round } from '../attack.ts';
import { beginListingDay, countListings } from '../listing-day.ts';
import { alignClocks } from '../races/align-clocks.ts';
import { sweepThroughBacklog } from '../races/sweep-and-judge.ts';
import { untilTrue } from './cluster.ts';
import { type Load, startLoad } from './load.ts';
import type { DataNode } from './nodes/data-node.ts';
import { measureCommits } from './price-of-synchrony.ts';
import type { FailoverRig } from './rig.ts';

/** What is done to a cluster while people pay. */
export type Harm = (scene: Scene) => Promise<void>;

export type Scene = {
  rig: FailoverRig;
  load: Load;
  round: Round;
  /** The leader at the beginning, and the others. */
  primary: DataNode;
  standbys: DataNode[];
};

/** Longer than any payment's deadline. */
const LONGEST_PAYMENT_SECONDS = 66;
const PAYMENTS_BEFORE = 10;
const PAYMENTS_AFTER = 10;

/**
 * People pay and read, the harm happens, payments reopen by themselves, and then the cluster is healed. Staff stay
 * signed in, unless somebody made a commit visible that is lost.
 */
async function playUnderLoad(
  rig: FailoverRig,
  round: Round,
  { harm, mayHold }: { harm: Harm; mayHold: boolean },
): Promise<void> {
  const { cluster } = rig;
  const { deps } = rig.instances[0];
  await cluster.heal();
  await beginListingDay(deps);
  // A look reads what was paid in the last two minutes: in this attack, not in the ones before.
  await alignClocks(rig);
  await deps.db.query.execute(sql`UPDATE staff SET held_at = NULL`);
  const primary = await cluster.leader();
  const standbys = cluster.nodes.filter((node) => node !== primary);
  const commits = await measureCommits(deps.db);
  const load = startLoad(rig, round);
  try {
    await untilTrue('payments are made', () => load.paidAt.length >= PAYMENTS_BEFORE);
    const listingsBefore = await countListings(deps);
    const begin = performance.now();
    await harm({ rig, load, round, primary, standbys });
    const end = performance.now();
    const since = () => load.paidAt.filter((time) => time > end).length;
    await untilTrue('payments are open again', () => since() >= PAYMENTS_AFTER);
    const pagesListed = (await countListings(deps)) - listingsBefore;
    rig.figures = { ...figuresOf(load, begin), ...commits, pagesListed };
  } finally {
    await load.stop();
    await cluster.heal();
  }
  for (const { process, log } of rig.processes) {
    if (process.exitCode !== null || process.signalCode !== null) {
      throw new Error(`a portal process has ended: ${JSON.stringify(log.at(-1))}`);
    }
  }
  if (load.wrong.length > 0) throw new Error([...new Set(load.wrong)].slice(0, 5).join('\n'));
  await advanceEngineClock(deps, LONGEST_PAYMENT_SECONDS);
  await sweepThroughBacklog(deps);
  const { rows } = await deps.db.query.execute<{ held: boolean }>(
    sql`SELECT held_at IS NOT NULL AS held FROM staff`,
  );
  if (!mayHold && rows.some(({ held }) => held)) throw new Error('access is held');
}

function figuresOf(
  { paidAt, wroteAt, refusedAt, slowestMilliseconds }: Load,
  begin: number,
): Record<string, number> {
  const longestGap = (all: number[]) => {
    const times = [begin, ...all.filter((time) => time > begin)].toSorted((one, other) => one - other);
    return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time))) / 1000;
  };
  return {
    secondsWithoutWrites: longestGap(wroteAt),
    secondsWithoutPayments: longestGap(paidAt),
    paymentsRefused: refusedAt.length,
    slowestAnswerSeconds: slowestMilliseconds / 1000,
  };
}

export const defineAttack = (
  id: string,
  name: string,
  harm: Harm,
  { mayHold = false } = {},
): Attack<FailoverRig> => ({
  id,
  name,
  runs: 3,
  run: (rig, round) => playUnderLoad(rig, round, { harm, mayHold }),
});

export const seconds = (count: number) => wait(count * 1_000);
