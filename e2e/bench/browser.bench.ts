import { atEnd } from '../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../tools/bench/bench.ts';
import { buildWeb } from '../../tools/build-web.ts';
import startSystem from '../support/global-setup.ts';
import { openBrowser } from './bench-browser.ts';
import { makePayer } from './bench-payer.ts';
import { besideFloor, entryPageBytes } from './entry-page.ts';
import { buildFloor, removeFloor } from './floor.ts';
import { longListTasks } from './long-list.ts';
import { bytesOfPages } from './page-bytes.ts';

/** What the portal costs a browser: bytes to load, time until a page is painted, and time to respond to input. */
export default async function browserBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  await buildWeb();
  // Lighthouse runs for minutes, and the journeys already check daily that these pages work.
  if (short) return entryPageBytes();
  atEnd(removeFloor);
  await buildFloor();
  // Loading it takes longer than a whole short run.
  const { lighthouseScores } = await import('./lighthouse-scores.ts');
  atEnd(await startSystem());
  const browser = await openBrowser();
  atEnd(() => browser.close());
  const payer = await makePayer(101, { invoices: 6, locations: 2 });
  const busyPayer = await makePayer(102, { invoices: 300, locations: 40 });
  return [
    ...besideFloor(),
    ...(await bytesOfPages(browser, payer)),
    ...(await lighthouseScores(browser, payer)),
    ...(await longListTasks(browser, busyPayer)),
  ];
}
