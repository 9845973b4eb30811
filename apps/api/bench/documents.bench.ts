import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { type InvoicePage, invoicePage } from '../src/modules/documents/pages/invoice-page.ts';
import { renderPdf } from '../src/modules/documents/render-pdf.ts';
import { renderPng } from '../src/modules/documents/render-png.ts';
import { documentRow } from '../test/factories/document-rows.ts';
import { median, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

/** The time of one uncached document: an ordinary invoice, and one of two hundred lines. */
export default async function documentsBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const ordinary = { name: 'an invoice', page: pageOf(documentRow().service), times: short ? 1 : 15 };
  const lines = Array.from({ length: 200 }, (_, index) => `Window number ${index + 1}`).join(';');
  const long = { name: 'two hundred lines', page: pageOf(lines), times: 3 };
  const figures: BenchFigure[] = [];
  for (const { name, page, times } of short ? [ordinary] : [ordinary, long]) {
    const pdf = await renderPdf(page);
    const png = await renderPng(pdf);
    const results = await takeTurns(short ? 1 : 7, {
      pdf: () => millisecondsOf(times, () => renderPdf(page)),
      png: () => millisecondsOf(times, () => renderPng(pdf)),
    });
    figures.push(
      ofRounds({ name: `${name} as PDF`, unit: 'ms' }, results.pdf),
      { name: `${name} as PDF`, value: pdf.length / 1024, unit: 'kB' },
      ofRounds({ name: `${name} as PNG, from its PDF`, unit: 'ms' }, results.png),
      { name: `${name} as PNG`, value: png.length / 1024, unit: 'kB' },
    );
  }
  return figures;
}

const pageOf = (service: string): InvoicePage =>
  invoicePage(documentRow({ service }), 'https://pay.example.com');

async function millisecondsOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return median(taken);
}
