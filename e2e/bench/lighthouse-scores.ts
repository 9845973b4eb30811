import lighthouse, { type Result } from 'lighthouse';
import type { BenchFigure } from '../../tools/bench/bench.ts';
import { addressOf } from '../guest-payment-steps.ts';
import { signIn } from '../support/people.ts';
import { systemUnderTest } from '../support/system.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Payer } from './bench-payer.ts';

const RUNS = 3;

type Visit = { name: string; address: string; isHeldTo100: boolean };

/** Lighthouse's verdict, on its phone with its slow network: scores out of 100, and the times behind them. */
export async function lighthouseScores(browser: BenchBrowser, payer: Payer): Promise<BenchFigure[]> {
  const [invoice] = payer.invoices;
  const visits: Visit[] = [
    { name: 'entry', address: '/', isHeldTo100: true },
    { name: 'sign-in', address: '/login', isHeldTo100: true },
    { name: 'guest payment, search', address: '/guest-payment', isHeldTo100: true },
    { name: 'guest payment, invoice', address: invoice ? addressOf(invoice) : '', isHeldTo100: true },
  ];
  const figures: BenchFigure[] = [];
  for (const visit of visits) figures.push(...(await visitOften(browser, visit)));
  const page = await browser.context.newPage();
  await signIn(page, payer.customer);
  // What stands behind another tab is not painted: Lighthouse is alone, and finds the session in the storage.
  await page.close();
  figures.push(
    ...(await visitOften(browser, { name: 'dashboard', address: '/invoices', isHeldTo100: false })),
  );
  await signOut(browser);
  return figures;
}

async function signOut({ context }: BenchBrowser): Promise<void> {
  const page = await context.newPage();
  await page.goto('/login');
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

async function visitOften(browser: BenchBrowser, visit: Visit): Promise<BenchFigure[]> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run++) results.push(await visitOnce(browser, visit.address));
  const figure = (name: string, unit: string, of: (result: Result) => number): BenchFigure => {
    const values = results.map(of).sort((one, other) => one - other);
    const spread = { from: values[0] ?? 0, to: values.at(-1) ?? 0 };
    return { name: `${visit.name}: ${name}`, value: values[values.length >> 1] ?? 0, unit, spread };
  };
  const score = (category: string) => (result: Result) => (result.categories[category]?.score ?? 0) * 100;
  const time = (audit: string) => (result: Result) => result.audits[audit]?.numericValue ?? Number.NaN;
  const limited = (limit: NonNullable<BenchFigure['limit']>) => (visit.isHeldTo100 ? { limit } : {});
  return [
    { ...figure('performance', '', score('performance')), ...limited({ atLeast: 100 }) },
    { ...figure('accessibility', '', score('accessibility')), ...limited({ atLeast: 100 }) },
    figure('best practices', '', score('best-practices')),
    figure('search engines', '', score('seo')),
    figure('largest paint', 'ms', time('largest-contentful-paint')),
    figure('blocking time', 'ms', time('total-blocking-time')),
    { ...figure('layout shift', '', time('cumulative-layout-shift')), ...limited({ atMost: 0 }) },
  ];
}

async function visitOnce({ debuggingPort }: BenchBrowser, address: string): Promise<Result> {
  const run = await lighthouse(`${systemUnderTest().portalUrl}${address}`, {
    port: debuggingPort,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    disableFullPageScreenshot: true,
  });
  if (!run || run.lhr.runtimeError) throw new Error(`Lighthouse: ${run?.lhr.runtimeError?.message}`);
  return run.lhr;
}
