import { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
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

/** Ten franchises, whose customers have five invoices at two locations each. In chunks, as a file is read. */
export function* invoiceFile(from: number, count: number): Generator<Buffer> {
  let chunk = `${INVOICE_COLUMNS.join(',')}\n`;
  for (let number = from + 1; number <= from + count; number++) {
    const franchise = 100 + (number % 10);
    const place = Math.ceil(number / 30);
    const customer = Math.ceil(number / 50);
    chunk += `${franchise},Clear View ${franchise},America/Chicago,${customer},"O'Brien, Zoë",zoe${customer}@example.com,${place},Home,${place} Maple Street,Springfield,IL,${10_000 + (place % 80_000)},${number},"Windows, inside and out; gutters",2026-10-01,2026-11-30,${100 + (number % 400)}.25,8.25,0.0825,true,0.00\n`;
    if (chunk.length > 64 * 1024) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  yield Buffer.from(chunk);
}
