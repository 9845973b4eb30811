import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeDatabase } from '../../../apps/api/test/database/make-database.ts';
import { prepareTestPostgres } from '../../../apps/api/test/database/test-postgres.ts';
import { attackJobs, countRuns } from './command/attack-jobs.ts';
import { bugJobs, MOST_SEEDS_FOR_A_BUG } from './command/bug-jobs.ts';
import { readCircumstances } from './command/circumstances.ts';
import { type Findings, proveCommand } from './command/findings.ts';
import { showProgress } from './command/progress.ts';
import { replaySeed } from './command/replay-seed.ts';
import { describeFindings } from './command/report.ts';
import { type Job, runJobs } from './command/run-jobs.ts';
import { seedJobs } from './command/seed-jobs.ts';
import { tellDuration } from './command/tell-duration.ts';
import { type KnownGroup, listGroups } from './prove/play-attacks.ts';
import { BOUND_OPTIONS, readBounds } from './simulation/bounds.ts';
import { findPlantedBug } from './simulation/bugs/plant-bug.ts';
import { PLANTED_BUGS } from './simulation/bugs/planted-bugs.ts';

/** A proof with fewer attacks proves too little. */
const LEAST_ATTACKS = 2_400;

/** The seeds of a whole proof. */
const WHOLE_SEEDS = 2_000;

const { values } = parseArgs({
  options: {
    /** How many seeds to play; for each planted bug at most 500 of them. */
    seeds: { type: 'string', default: String(WHOLE_SEEDS) },
    processes: { type: 'string', default: '2' },
    /** `seeds`, `bugs`, or a prefix of group names or attack ids. */
    only: { type: 'string', default: '' },
    /** Also writes the findings into this file. */
    report: { type: 'string' },
    /** Plays this one seed and prints everything that happens; with --attack, the attack's seed. */
    seed: { type: 'string' },
    /** Plays the planted bug of this name until a seed notices it; with --seed, only that seed. */
    bug: { type: 'string' },
    /** Plays the attack with this id. */
    attack: { type: 'string' },
    /** Only this run of the attack. */
    run: { type: 'string' },
    ...BOUND_OPTIONS,
  },
});

const stopped = new AbortController();
const { signal } = stopped;
process.once('SIGINT', () => stopped.abort());
process.once('SIGTERM', () => stopped.abort());

const postgres = prepareTestPostgres();

async function withDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const database = await makeDatabase(await postgres.open());
  try {
    return await work(database.url);
  } finally {
    await database.drop();
  }
}

const { only, attack, bug } = values;
/** Figures of a part say nothing about the rest, so they aren't published. */
const isFull = only === '' && attack === undefined && bug === undefined;

/** `npm run prove`: everything, or the selected part. Returns whether all of it held. */
async function main(): Promise<boolean> {
  const { seed } = values;
  if (attack === undefined && seed !== undefined) {
    const bounds = readBounds(values);
    return !(await withDatabase((url) => replaySeed(url, { seed: Number(seed), bounds, bug, signal })));
  }
  const findings: Findings = { seeds: [], bugs: [], attacks: [], failures: [] };
  const begin = performance.now();
  const circumstances = readCircumstances({
    command: proveCommand(process.argv.slice(2)),
    processes: Number(values.processes),
  });
  await prove(findings);
  const seconds = (performance.now() - begin) / 1000;
  const isWhole = isFull && Number(values.seeds) >= WHOLE_SEEDS;
  const isOver = !signal.aborted;
  const report = describeFindings(findings, { seconds, isWhole, isOver, circumstances });
  process.stdout.write(`${report}\n`);
  if (values.report !== undefined) {
    writeFileSync(values.report, `${report}\n`);
    if (isWhole && isOver) tellDuration({ seconds, cores: circumstances.cores });
  }
  return findings.failures.length === 0 && !signal.aborted;
}

/** Lists the groups, and prints which ones this machine can't play and why. */
async function listPlayableGroups(): Promise<KnownGroup[]> {
  const all = await listGroups();
  for (const { name, missing } of all) {
    if (missing !== null) process.stderr.write(`The group ${name} is left out: ${missing}\n`);
  }
  return all.filter(({ missing }) => missing === null);
}

async function prove(findings: Findings): Promise<void> {
  const count = Number(values.seeds);
  const surroundings = { findings, withDatabase, signal };
  const seeds = isFull || only === 'seeds' ? seedJobs(count, surroundings) : [];
  const plantedBugs = bug !== undefined ? [findPlantedBug(bug)] : PLANTED_BUGS;
  const seedsForABug = Math.min(count, MOST_SEEDS_FOR_A_BUG);
  const bugs =
    isFull || only === 'bugs' || bug !== undefined
      ? bugJobs(plantedBugs, { ...surroundings, count: seedsForABug })
      : [];
  const groups = isFull || seeds.length + bugs.length === 0 ? await listPlayableGroups() : [];
  const named = only === '' ? [] : groups.filter(({ name }) => name.startsWith(only));
  const meantGroups = named.length > 0 ? named : groups;
  const meant = attack !== undefined ? { attack } : { only: named.length > 0 ? '' : only };
  const run = values.run === undefined ? undefined : Number(values.run);
  const attacks = attackJobs(meantGroups, { meant, seed: Number(values.seed ?? 1), run, findings, signal });
  const jobs: Job[] = [...seeds, ...bugs, ...attacks];
  if (jobs.length === 0) throw new Error('There is nothing of that name to prove.');
  const progress = showProgress(findings, {
    seeds: seeds.length > 0 ? count : 0,
    bugs: bugs.length,
    attacks: run === undefined ? countRuns(meantGroups, meant) : 1,
  });
  await runJobs(jobs, {
    processes: Number(values.processes),
    withDatabase,
    signal,
    onBroken: ({ name }, error) => {
      const wrong = [error instanceof Error ? error.message : String(error)];
      findings.failures.push({ what: name, wrong, command: proveCommand(process.argv.slice(2)) });
    },
  });
  if (isFull && !signal.aborted && findings.attacks.length < LEAST_ATTACKS) {
    const wrong = [`${findings.attacks.length} attacks, at least ${LEAST_ATTACKS} are a proof`];
    findings.failures.push({ what: 'the proof itself', wrong, command: proveCommand([]) });
  }
  progress.stop();
}

try {
  if (!(await main())) process.exitCode = 1;
} finally {
  await postgres.close();
}
// The attacks' modules may keep handles open.
process.exit();
