import { Readable } from 'node:stream';
import { INVOICE_COLUMNS, type InvoiceColumn } from '@brightpane/contract/office';
import { BENCH_SECRETS, type BenchPortal } from './bench-portal.ts';

/** Streams a file of invoices to a call; returns the seconds until the answer. */
export async function sendFile(
  { url }: Pick<BenchPortal, 'url'>,
  path: string,
  file: Iterable<Buffer>,
): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!answer.ok) throw new Error(await answer.text());
  await answer.json();
  return (performance.now() - start) / 1000;
}

export const HEADER_LINE = `${INVOICE_COLUMNS.join(',')}\n`;

/** A row of the file, by the columns' names, so that the compiler finds one that is missing. Values with commas come quoted. */
export const invoiceLine = (row: Record<InvoiceColumn, string | number>): string =>
  `${INVOICE_COLUMNS.map((column) => row[column]).join(',')}\n`;

/** Ten franchises, whose customers have five invoices at two locations each. In chunks, as a file is read. */
export function* invoiceFile(from: number, count: number): Generator<Buffer> {
  let chunk = HEADER_LINE;
  for (let number = from + 1; number <= from + count; number++) {
    const franchise = 100 + (number % 10);
    const place = Math.ceil(number / 30);
    const customer = Math.ceil(number / 50);
    chunk += invoiceLine({
      franchiseId: franchise,
      franchiseName: `Clear View ${franchise}`,
      timeZone: 'America/Chicago',
      customerNumber: customer,
      customerName: '"O\'Brien, Zoë"',
      customerEmail: `zoe${customer}@example.com`,
      locationId: place,
      description: 'Home',
      addressLine1: `${place} Maple Street`,
      city: 'Springfield',
      state: 'IL',
      zipCode: 10_000 + (place % 80_000),
      workOrderNumber: number,
      service: '"Windows, inside and out; gutters"',
      completedDate: '2026-10-01',
      dueDate: '2026-11-30',
      amount: `${100 + (number % 400)}.25`,
      salesTaxAmount: '8.25',
      salesTaxRate: '0.0825',
      tipsEnabled: 'true',
      paidElsewhere: '0.00',
    });
    if (chunk.length > 64 * 1024) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  yield Buffer.from(chunk);
}
