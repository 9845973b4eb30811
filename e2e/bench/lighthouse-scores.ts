import lighthouse, { type RunnerResult } from 'lighthouse';
import type { BenchFigure } from '../../tools/bench/bench.ts';
import { addressOf } from '../guest-payment-steps.ts';
import { signIn } from '../support/people.ts';
import { systemUnderTest } from '../support/system.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Payer } from './bench-payer.ts';
import { unsharedBlockingTime } from './blocking-time.ts';
import { serveFloor } from './floor.ts';

const RUNS = 3;

type Visit = {
  name: string;
  address: string;
  /** Limits for performance and the largest paint; accessibility and layout shift have to be perfect. */
  asked?: { performance: number; largestPaintMilliseconds?: number };
};

/** The metrics behind the performance score. */
const METRICS = [
  { name: 'first paint', audit: 'first-contentful-paint', unit: 'ms' },
  { name: 'largest paint', audit: 'largest-contentful-paint', unit: 'ms' },
  { name: 'filled over time', audit: 'speed-index', unit: 'ms' },
  { name: 'blocking time', audit: 'total-blocking-time', unit: 'ms' },
  { name: 'layout shift', audit: 'cumulative-layout-shift', unit: '' },
];

/** Lighthouse's scores out of 100 and the times behind them, on its simulated phone and slow network. */
export async function lighthouseScores(browser: BenchBrowser, payer: Payer): Promise<BenchFigure[]> {
  const { portalUrl } = systemUnderTest();
  const [invoice] = payer.invoices;
  const floor = await serveFloor();
  const visits: Visit[] = [
    { name: 'the floor', address: floor.url },
    { name: 'entry', address: portalUrl, asked: { performance: 100 } },
    { name: 'sign-in', address: `${portalUrl}/login`, asked: { performance: 100 } },
    { name: 'guest payment, search', address: `${portalUrl}/guest-payment`, asked: { performance: 100 } },
    {
      name: 'guest payment, invoice',
      // The address in the invoice's QR code, for a first visit.
      address: invoice ? `${portalUrl}${addressOf(invoice)}` : '',
      asked: { performance: 99, largestPaintMilliseconds: 2_000 },
    },
  ];
  const figures: BenchFigure[] = [];
  for (const visit of visits) figures.push(...(await visitOften(browser, visit)));
  await floor.stop();
  const page = await browser.context.newPage();
  await signIn(page, payer.customer);
  // A hidden tab isn't painted, so Lighthouse runs alone; the session is in the storage.
  await page.close();
  figures.push(...(await visitOften(browser, { name: 'dashboard', address: `${portalUrl}/invoices` })));
  await signOut(browser);
  return figures;
}

async function signOut({ context }: BenchBrowser): Promise<void> {
  const page = await context.newPage();
  await page.goto('/login');
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

async function visitOften(browser: BenchBrowser, { name, address, asked }: Visit) {
  const results: RunnerResult[] = [];
  for (let run = 0; run < RUNS; run++) results.push(await visitOnce(browser, address));
  const figure = (what: string, unit: string, of: (result: RunnerResult) => number): BenchFigure => {
    const values = results.map(of).sort((one, other) => one - other);
    const spread = { from: values[0] ?? 0, to: values.at(-1) ?? 0 };
    return { name: `${name}: ${what}`, value: middle(values), unit, spread };
  };
  const category =
    (id: string) =>
    ({ lhr }: RunnerResult) =>
      (lhr.categories[id]?.score ?? 0) * 100;
  const limits: Record<string, BenchFigure['limit']> = asked
    ? {
        performance: { atLeast: asked.performance },
        accessibility: { atLeast: 100 },
        'layout shift': { atMost: 0 },
        ...(asked.largestPaintMilliseconds && {
          'largest paint': { atMost: asked.largestPaintMilliseconds },
        }),
      }
    : {};
  const limited = (what: string) => (limits[what] ? { limit: limits[what] } : {});
  return [
    { ...figure('performance', '', category('performance')), ...limited('performance') },
    { ...figure('accessibility', '', category('accessibility')), ...limited('accessibility') },
    figure('best practices', '', category('best-practices')),
    figure('search engines', '', category('seo')),
    ...METRICS.map(({ name: what, audit, unit }) => {
      const scores = results.map(({ lhr }) => lhr.audits[audit]?.score ?? 0).sort((a, b) => a - b);
      const scored = `scored ${Math.round(middle(scores) * 100)}`;
      const value = ({ lhr }: RunnerResult) => lhr.audits[audit]?.numericValue ?? Number.NaN;
      return {
        ...figure(what, unit ? `${unit}, ${scored}` : scored, value),
        ...limited(what),
      };
    }),
    figure('blocking time, were no processor shared', 'ms', unsharedBlockingTime),
    figure('the machine, by Lighthouse’s own benchmark', '', ({ lhr }) => lhr.environment.benchmarkIndex),
  ];
}

function middle(sorted: number[]): number {
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function visitOnce({ debuggingPort }: BenchBrowser, address: string): Promise<RunnerResult> {
  const run = await lighthouse(address, {
    port: debuggingPort,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    disableFullPageScreenshot: true,
  });
  if (!run || run.lhr.runtimeError) throw new Error(`Lighthouse: ${run?.lhr.runtimeError?.message}`);
  return run;
}
