import type { AttackRun } from '../prove/attack.ts';
import type { SeedRun } from '../simulation/run-simulations.ts';
import { type Circumstances, describeCircumstances } from './circumstances.ts';
import type { Failure, Findings } from './findings.ts';

type Table = { head: string[]; rows: string[][] };

/** A proof's findings as Markdown, published unedited. */
export function describeFindings(
  findings: Findings,
  {
    seconds,
    isWhole,
    isOver,
    circumstances,
  }: { seconds: number; isWhole: boolean; isOver: boolean; circumstances: Circumstances },
): string {
  const { seeds, bugs, attacks, failures } = findings;
  const outcome = [
    `**${failures.length} failures, ${duration(seconds)} in all.**`,
    ...(isWhole ? [] : ['A part of the proof.']),
    ...(isOver ? [] : ['Stopped before it was over.']),
  ].join(' ');
  const parts = [
    '# What a proof found',
    describeCircumstances(circumstances),
    outcome,
    ...(seeds.length > 0 ? [describeSeeds(seeds)] : []),
    ...(bugs.length > 0 ? [markdown(bugTable(findings))] : []),
    ...(attacks.length > 0 ? [markdown(attackTable(attacks)), countAttacks(attacks)] : []),
    ...(failures.length > 0 ? ['## Failures', ...failures.map(describeFailure)] : []),
  ];
  return parts.join('\n\n');
}

function describeSeeds(seeds: readonly SeedRun[]): string {
  const failed = seeds.filter(({ wrong }) => wrong.length > 0).length;
  const sum = (of: keyof SeedRun['counts']) => seeds.reduce((total, { counts }) => total + counts[of], 0);
  const share = (of: keyof SeedRun['counts']) =>
    `${Math.round((100 * seeds.filter(({ counts }) => counts[of] > 0).length) / seeds.length)} %`;
  const times = seeds.map(({ milliseconds }) => milliseconds);
  return [
    `${seeds.length} seeds, ${failed} failed, ${milliseconds(median(times))} each: ${sum('steps')} steps,`,
    `${sum('waits')} waits for another's lock, ${sum('crashes')} crashes, ${sum('databaseTroubles')} troubles of the`,
    `database and ${sum('providerTroubles')} of the provider, ${sum('accepted')} payments accepted and`,
    `${sum('captured')} charges captured; "paid" was heard ${sum('heardPaid')} times.`,
    `${sum('requested')} refunds asked for and ${sum('refunded')} made, in ${share('refunded')} of the seeds;`,
    `in ${share('crashesDuringRefunds')} a process was killed while one was on its way.`,
  ].join('\n');
}

function describeFailure({ what, wrong, command }: Failure): string {
  return [`${what}:`, '```', ...wrong, '```', `Again: \`${command}\``].join('\n');
}

function bugTable({ bugs }: Findings): Table {
  return {
    head: ['planted bug', 'noticed by', 'after', 'first said'],
    rows: bugs.map(({ name, caughtBy, milliseconds }) => [
      name,
      caughtBy?.what ?? 'NOTHING',
      duration(milliseconds / 1000),
      caughtBy?.wrong[0]?.split('\n')[0]?.slice(0, 90) ?? '',
    ]),
  };
}

function attackTable(attacks: readonly AttackRun[]): Table {
  const byId = [...Map.groupBy(attacks, ({ id }) => id)].sort(([one], [other]) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  return {
    head: ['attack', 'what is done, and what holds', 'runs', 'failures', 'median', 'longest'],
    rows: byId.map(([id, runs]) => {
      const times = runs.map(({ milliseconds }) => milliseconds);
      const failed = runs.filter(({ wrong }) => wrong.length > 0).length;
      const figures = [milliseconds(median(times)), milliseconds(Math.max(...times))];
      return [id, runs[0]?.name ?? '', String(runs.length), String(failed), ...figures];
    }),
  };
}

function countAttacks(attacks: readonly AttackRun[]): string {
  const failed = attacks.filter(({ wrong }) => wrong.length > 0).length;
  const figures = (name: string) => attacks.flatMap((attack) => attack.figures?.[name] ?? []);
  const [sweeps, seconds] = [figures('sweeps'), figures('seconds')];
  const resolved =
    sweeps.length === 0
      ? ''
      : ` Resolved after ${median(sweeps)} sweeps and ${duration(median(seconds))} of the engine's clock in the median,` +
        ` ${Math.max(...sweeps)} sweeps and ${duration(Math.max(...seconds))} at most (${sweeps.length} runs).`;
  return `${attacks.length} attacks, ${failed} failed.${resolved}${describeRefunds(figures)}${describeFailOvers(figures)}`;
}

function describeRefunds(figures: (name: string) => number[]): string {
  const times = [
    ['a void', figures('voidMedian'), figures('voidSlow')],
    ['a refund', figures('refundMedian'), figures('refundSlow')],
  ] as const;
  return times
    .filter(([, medians]) => medians.length > 0)
    .map(
      ([what, medians, slow]) =>
        ` From its request until it was made, ${what} took ${milliseconds(median(medians))} in the median,` +
        ` and 95 of a hundred at most ${milliseconds(Math.max(...slow))}.`,
    )
    .join('');
}

function describeFailOvers(figures: (name: string) => number[]): string {
  const writes = figures('secondsWithoutWrites');
  if (writes.length === 0) return '';
  const inSeconds = (name: string) =>
    `${duration(median(figures(name)))} in the median and ${duration(Math.max(...figures(name)))} at most`;
  const commit = (name: string) => `${median(figures(name)).toFixed(1)} ms`;
  return [
    `\n\nWhere a part of the cluster was taken away (${writes.length} runs), nothing could be written for`,
    `${inSeconds('secondsWithoutWrites')}, and payments were open again after ${inSeconds('secondsWithoutPayments')}.`,
    `For that, ${median(figures('pagesListed'))} pages of the provider’s lists were read in the median and`,
    `${Math.max(...figures('pagesListed'))} at most, of ten a minute.`,
    `${median(figures('paymentsRefused'))} presses of Pay were answered 503 in the median,`,
    `${Math.max(...figures('paymentsRefused'))} at most; the slowest answer took ${duration(Math.max(...figures('slowestAnswerSeconds')))}.`,
    `A commit took ${commit('commitMilliseconds')} with the standby and ${commit('commitAloneMilliseconds')} without; a payment has four.`,
  ].join(' ');
}

function markdown({ head, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const milliseconds = (time: number): string =>
  time < 10_000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`;

export const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
