import type { Page } from '@playwright/test';
import type { BenchFigure } from '../../tools/bench/bench.ts';
import { signIn } from '../support/people.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Payer } from './bench-payer.ts';

/** How long the page blocks while somebody works in a list of 300 invoices: here, and on a machine four times slower. */
export async function longListTasks(browser: BenchBrowser, payer: Payer): Promise<BenchFigure[]> {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page, payer.customer);
  const session = await browser.context.newCDPSession(page);
  const figures: BenchFigure[] = [];
  for (const slowdown of [1, 4]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/invoices');
    figures.push(...(await workIn(page, slowdown)));
  }
  await session.detach();
  await page.evaluate(() => localStorage.clear());
  await page.close();
  return figures;
}

async function workIn(page: Page, slowdown: number): Promise<BenchFigure[]> {
  const name = (what: string) => `300 invoices${slowdown > 1 ? `, CPU ÷ ${slowdown}` : ''}: ${what}`;
  // By keyboard and by class: finding a role among hundreds of rows costs the page more than what is measured.
  const press = async (selector: string, keys: string, outcome = selector): Promise<Observed> => {
    await page.locator(selector).first().focus();
    return watch(page, async () => {
      await page.keyboard.type(keys);
      await page.locator(outcome).first().waitFor();
    });
  };
  await page.locator('.payable-row').last().waitFor();
  const selecting = await press('.select-all input', ' ', '.table-tips button:enabled');
  const tipping = await press('.table-tips button', ' ', '.payable-row .tip button[aria-pressed="true"]');
  await press('.payable-row .tip button[aria-expanded]', ' ');
  await page.locator('.payable-row .tip input').fill('');
  const typing = await press('.payable-row .tip input', '123.45');
  return [
    {
      name: name('longest task while typing a tip'),
      value: typing.longestTask,
      unit: 'ms',
      ...(slowdown === 1 && { limit: { atMost: 50 } }),
    },
    { name: name('slowest key, until it is painted'), value: typing.slowestEvent, unit: 'ms' },
    { name: name('longest task of selecting all'), value: selecting.longestTask, unit: 'ms' },
    { name: name('longest task of tipping all'), value: tipping.longestTask, unit: 'ms' },
  ];
}

type Observed = { longestTask: number; slowestEvent: number };

/** Browsers report tasks from 50 ms and events from 16 ms on; 0 means none. */
async function watch(page: Page, work: () => Promise<void>): Promise<Observed> {
  await page.evaluate(() => {
    const longest = (type: string) => {
      const durations = [0];
      const observer = new PerformanceObserver((list) => {
        durations.push(...list.getEntries().map((entry) => entry.duration));
      });
      observer.observe({ type, buffered: false, ...(type === 'event' && { durationThreshold: 16 }) });
      return () => {
        durations.push(...observer.takeRecords().map((entry) => entry.duration));
        observer.disconnect();
        return Math.max(...durations);
      };
    };
    Object.assign(window, { longestTask: longest('longtask'), slowestEvent: longest('event') });
  });
  await work();
  return page.evaluate(async () => {
    // Changes are painted in the next frame and reported after it.
    for (let frames = 0; frames < 3; frames++) {
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    }
    const { longestTask, slowestEvent } = window as unknown as Record<keyof Observed, () => number>;
    return { longestTask: longestTask(), slowestEvent: slowestEvent() };
  });
}
