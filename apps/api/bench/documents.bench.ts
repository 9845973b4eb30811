import type { BenchFigure } from '../../../tools/bench.ts';
import { type InvoicePage, invoicePage } from '../src/modules/documents/invoice-page.ts';
import { renderPdf } from '../src/modules/documents/render-pdf.ts';
import { renderPng } from '../src/modules/documents/render-png.ts';
import { documentRow } from '../test/factories/document-rows.ts';

/** What one document costs when nothing is kept: an ordinary invoice, and one of two hundred lines. */
export default async function documentsBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const times = short ? 10 : 100;
  const long = Array.from({ length: 200 }, (_, index) => `Window number ${index + 1}`).join(';');
  return [
    ...(await figures('an invoice', invoicePage(documentRow(), 'https://pay.example.com'), times)),
    ...(await figures(
      'two hundred lines',
      invoicePage(documentRow({ service: long }), 'https://pay.example.com'),
      times / 10,
    )),
  ];
}

async function figures(name: string, page: InvoicePage, times: number): Promise<BenchFigure[]> {
  const pdf = await renderPdf(page);
  const png = await renderPng(pdf);
  return [
    { name: `${name} as PDF`, value: await median(times, () => renderPdf(page)), unit: 'ms' },
    { name: `${name} as PDF`, value: pdf.length / 1024, unit: 'kB' },
    { name: `${name} as PNG, from its PDF`, value: await median(times, () => renderPng(pdf)), unit: 'ms' },
    { name: `${name} as PNG`, value: png.length / 1024, unit: 'kB' },
  ];
}

/** Milliseconds, after a few runs that do not count. */
async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  for (let warmUp = 0; warmUp < 5; warmUp++) await work();
  const taken: number[] = [];
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}
