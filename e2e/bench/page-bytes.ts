import type { Page, Response } from '@playwright/test';
import type { BenchFigure } from '../../tools/bench/bench.ts';
import { addressOf } from '../guest-payment-steps.ts';
import { signIn } from '../support/people.ts';
import type { BenchBrowser } from './bench-browser.ts';
import type { Payer } from './bench-payer.ts';

const FOR_EVERYBODY = ['/', '/login', '/register', '/forgot-password', '/guest-payment'];
const FOR_CUSTOMERS = ['/invoices', '/locations/add', '/payment-methods', '/payment-methods/add'];

/** What a first visit to each page transfers from the portal, in the browser's preferred compression. */
export async function bytesOfPages(browser: BenchBrowser, payer: Payer): Promise<BenchFigure[]> {
  const page = await browser.context.newPage();
  // Without a cache, as on a first visit.
  const session = await browser.context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const figures: BenchFigure[] = [];
  const [invoice] = payer.invoices;
  for (const address of FOR_EVERYBODY) figures.push(...(await bytesOf(page, address, address)));
  if (invoice) figures.push(...(await bytesOf(page, addressOf(invoice), '/guest-payment, an invoice')));
  await signIn(page, payer.customer);
  for (const address of FOR_CUSTOMERS) figures.push(...(await bytesOf(page, address, address)));
  await page.evaluate(() => localStorage.clear());
  await page.close();
  return figures;
}

async function bytesOf(page: Page, address: string, name: string): Promise<BenchFigure[]> {
  const responses: Response[] = [];
  const note = (response: Response) => responses.push(response);
  page.on('response', note);
  await page.goto(address, { waitUntil: 'networkidle' });
  page.off('response', note);
  const { origin } = new URL(page.url());
  const sums = { script: 0, style: 0, everything: 0 };
  for (const response of responses.filter((each) => each.url().startsWith(origin))) {
    const { responseBodySize: bytes } = await response.request().sizes();
    if (bytes < 0) throw new Error(`${response.url()} came from a cache`);
    const kind = kindOf(response);
    sums.everything += bytes;
    if (kind) sums[kind] += bytes;
  }
  return Object.entries(sums).map(([what, bytes]) => ({
    name: `\`${name}\`: ${what}`,
    value: bytes / 1000,
    unit: 'kB',
  }));
}

function kindOf(response: Response): 'script' | 'style' | undefined {
  const type = response.headers()['content-type'] ?? '';
  if (type.includes('javascript')) return 'script';
  return type.startsWith('text/css') ? 'style' : undefined;
}
