import { randomUUID } from 'node:crypto';
import type { BenchFigure, BenchOptions } from '../../../../tools/bench/bench.ts';
import { type BenchPortal, withBenchPortal } from '../rig/bench-portal.ts';
import { HEADER_LINE, invoiceFile, invoiceLine, sendFile } from '../rig/invoice-file.ts';
import { FRANCHISE, fillPayable, mintKey, type Payer, signInPayer, startProvider } from '../rig/payer.ts';
import { besides, median, ofRounds, quantile } from '../rig/statistics.ts';
import { takeTurns, timesOf } from '../rig/take-turns.ts';

/** A check stages and reads its rows like an import, and writes none of them. */
const MOST_OF_IMPORT = 1.1;
const MOST_MILLISECONDS_LONGER = 50;

/** A check, compared with the import of its file, and next to payments of the invoices that it would change. */
export default async function dryRunBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { rows, rounds, payments } = short
    ? { rows: 200, rounds: 1, payments: 1 }
    : { rows: 30_000, rounds: 6, payments: 20 };
  const { emulator, settings } = await startProvider();
  return withBenchPortal(
    settings,
    async (portal) => {
      await fillPayable(portal.databaseUrl, rows);
      const payer = await signInPayer([portal.url], emulator);
      let workOrder = 0;
      const keys = () => Promise.all(Array.from({ length: payments }, () => mintKey(emulator)));
      const pay = async () => payAll(payer, await keys(), () => ++workOrder);
      const times = await takeTurns(rounds, {
        alone: pay,
        beside: () => whileChecked(portal, rows, pay),
      });
      const medians = (all: number[][]) => all.map(median);
      const longer = medians(times.beside).map((value, round) => value - (medians(times.alone)[round] ?? 0));
      return [
        ...(await besideImport(portal, { rows, rounds })),
        ofRounds({ name: 'guest payment, nothing else going on', unit: 'ms' }, medians(times.alone)),
        ofRounds({ name: 'of an invoice that is being checked', unit: 'ms' }, medians(times.beside)),
        ofRounds(
          { name: 'it waits longer by', unit: 'ms', limit: { atMost: MOST_MILLISECONDS_LONGER } },
          longer,
        ),
        { name: 'slowest in twenty, nothing else', value: quantile(times.alone.flat(), 0.95), unit: 'ms' },
        { name: 'slowest in twenty beside a check', value: quantile(times.beside.flat(), 0.95), unit: 'ms' },
      ];
    },
    { short },
  );
}

const check = (portal: BenchPortal, file: Iterable<Buffer>) =>
  sendFile(portal, `/office/import/preview?importId=${randomUUID()}`, file);

/** Checks and then imports the same new rows. */
async function besideImport(
  portal: BenchPortal,
  { rows, rounds }: { rows: number; rounds: number },
): Promise<BenchFigure[]> {
  const checked: number[] = [];
  const imported: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const file = () => invoiceFile(round * rows, rows);
    const seconds = [await check(portal, file()), await sendFile(portal, '/office/import', file())] as const;
    if (round === 0) continue;
    checked.push(seconds[0]);
    imported.push(seconds[1]);
  }
  return [
    ofRounds({ name: `check of ${rows} new invoices`, unit: 's' }, checked),
    ofRounds({ name: 'import of the same', unit: 's' }, imported),
    ofRounds(
      { name: 'check / import', unit: '', limit: { atMost: MOST_OF_IMPORT } },
      besides(checked, imported),
    ),
  ];
}

/** Runs the work while one check follows another. */
async function whileChecked<Result>(
  portal: BenchPortal,
  rows: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const checking = (async () => {
    while (!isOver) await check(portal, changedFile(rows));
  })();
  try {
    return await Promise.race([work(), checking.then(() => new Promise<never>(() => {}))]);
  } finally {
    isOver = true;
    await checking;
  }
}

const payAll = (payer: Payer, keys: string[], next: () => number): Promise<number[]> =>
  timesOf(keys.length, (index) => payer.payAsGuest(next(), keys[index] ?? ''));

const PAYABLE = {
  franchiseId: FRANCHISE,
  franchiseName: 'Bench',
  timeZone: 'UTC',
  customerNumber: 1,
  customerName: 'Bench',
  customerEmail: '',
  locationId: 1,
  description: 'Home',
  addressLine1: 'Maple Street 12',
  city: 'Springfield',
  state: 'IL',
  zipCode: 62704,
  service: 'Windows',
  completedDate: '',
  dueDate: '',
  amount: '208.25',
  salesTaxAmount: '8.25',
  salesTaxRate: '0.0825',
  tipsEnabled: 'true',
  paidElsewhere: '0.00',
};

/** Every payable invoice, with a different amount. */
function* changedFile(rows: number): Generator<Buffer> {
  let chunk = HEADER_LINE;
  for (let number = 1; number <= rows; number++) {
    chunk += invoiceLine({ ...PAYABLE, workOrderNumber: number });
    if (number % 500 > 0 && number < rows) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
}
