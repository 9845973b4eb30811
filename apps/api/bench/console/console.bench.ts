import { Agent } from 'node:http';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../../../tools/bench/bench.ts';
import { BENCH_SECRETS, startBenchPortal } from '../rig/bench-portal.ts';
import { ask } from '../rig/http-load.ts';
import { besides, median, ofRounds, quantile } from '../rig/statistics.ts';
import { besideOneAnother, takeTurns, timesOf } from '../rig/take-turns.ts';
import { consoleCalls, TOTALS } from '../scale/console-calls.ts';
import { type Books, describeBooks, openBooks, openBooksDeps } from '../scale/open-books.ts';
import { openPageCount, type Touched } from '../scale/touched-pages.ts';

/** How much slower ten million invoices may be than ten thousand. */
const MOST_TIMES = 1.5;
const MOST_MILLISECONDS = { list: 100, totals: 200 };

const FULL = { sizes: [10_000, 10_000_000], rounds: 6, calls: 20 };
const SHORT = { sizes: [500, 1_000], rounds: 1, calls: 2 };

const HEADERS = { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}` };

/**
 * What staff wait for, with few invoices in the books and with very many. `BENCH_BOOKS` names a folder that keeps the
 * books for the next run; they are only read.
 */
export default async function consoleBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { sizes, rounds, calls } = short ? SHORT : FULL;
  const books = await openBooks({ sizes, short, keptIn: short ? undefined : process.env.BENCH_BOOKS });
  const [few, many] = [books[0], books.at(-1)] as [Books, Books];
  const contestants: Record<string, () => Promise<number[]>> = {};
  const touched: Record<string, Touched> = {};
  const names = new Set<string>();
  for (const each of books) {
    const portal = await startBenchPortal(each, {});
    const deps = await openBooksDeps(portal);
    const countPages = await openPageCount(portal);
    const agent = new Agent({ keepAlive: true });
    atEnd(async () => {
      agent.destroy();
      await deps.db.close();
    });
    for (const [name, path] of Object.entries(await consoleCalls(deps))) {
      names.add(name);
      const call = () => ask({ url: `${portal.url}/api${path}`, headers: HEADERS }, { agent });
      contestants[`${name}: ${each.name}`] = () => timesOf(calls, call);
      touched[`${name}: ${each.name}`] = await countPages(path, HEADERS);
    }
  }

  const times = await takeTurns(rounds, besideOneAnother(contestants));
  const figures = books.flatMap(describeBooks);
  for (const name of names) {
    const measuredOf = ({ name: size }: Books) => {
      const call = `${name}: ${size}`;
      return { call, all: times[call] ?? [], ...(touched[call] ?? { pages: 0, rows: 0 }) };
    };
    figures.push(...compare(name, { few: measuredOf(few), many: measuredOf(many) }));
  }
  return figures;
}

type Measured = Touched & { call: string; all: number[][] };

function compare(name: string, { few, many }: { few: Measured; many: Measured }): BenchFigure[] {
  const medians = ({ call, all }: Measured) =>
    ofRounds({ name: `${call}, median`, unit: 'ms' }, all.map(median));
  const isTotal = TOTALS.has(name);
  // Where the small books have fewer rows to show, the comparison would be unfair.
  const isAlike = !isTotal && few.rows >= many.rows;
  return [
    medians(few),
    medians(many),
    {
      name: `${many.call}, 95th percentile`,
      value: quantile(many.all.flat(), 0.95),
      unit: 'ms',
      limit: { atMost: isTotal ? MOST_MILLISECONDS.totals : MOST_MILLISECONDS.list },
    },
    ofRounds(
      {
        name: `${name}: many beside few${isAlike || isTotal ? '' : `, ${many.rows} rows beside ${few.rows}`}`,
        unit: 'times',
        ...(isAlike && { limit: { atMost: MOST_TIMES } }),
      },
      besides(many.all.map(median), few.all.map(median)),
    ),
    { name: `${few.call}, pages touched`, value: few.pages, unit: '' },
    { name: `${many.call}, pages touched`, value: many.pages, unit: '' },
  ];
}
