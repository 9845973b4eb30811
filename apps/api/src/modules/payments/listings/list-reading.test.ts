import { cents } from '@brightpane/money/cents';
import { describe, expect, test } from 'vitest';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { ListReading } from './list-reading.ts';

const MINUTE = 60_000;
const NEWEST = Date.parse('2026-03-10T12:00:00Z');

const row = (key: string, createdAt: Date | null): TransactionRecord => ({
  transactionKey: key,
  reference: key,
  orderId: `order-${key}`,
  state: 'captured',
  amountCents: cents(100),
  createdAt,
  isRefund: false,
  type: 'L',
  status: 'P',
  result: 'A',
  clerk: '',
  batchKey: null,
  description: '',
});

/** Rows a minute apart, newest first. */
const listOf = (count: number, timeOf = (index: number): Date | null => new Date(NEWEST - index * MINUTE)) =>
  Array.from({ length: count }, (_, index) => row(`k${count - index}`, timeOf(index)));

type Ask = { offset: number; limit: number; call: number };
type Shown = { rows: TransactionRecord[]; total: number };

/** Reads until the end, a date or a fault; `show` plays the provider. */
function read(show: (ask: Ask) => Shown, back?: Date): ListReading & { calls: number } {
  const reading = Object.assign(new ListReading(), { calls: 0 });
  while (!reading.isBroken && !reading.isAtEnd && !(back && reading.calls > 0 && reading.reaches(back))) {
    const { offset, limit } = reading.next;
    const shown = show({ offset, limit, call: reading.calls++ });
    reading.add({ kind: 'page', partial: [], limit, ...shown });
    if (reading.calls > 100) throw new Error('reads without end');
  }
  return reading;
}

const pagesOf =
  (rows: TransactionRecord[]) =>
  ({ offset, limit }: Ask): Shown => ({ rows: rows.slice(offset, offset + limit), total: rows.length });

const keysIn = (reading: ListReading) =>
  new Set([...reading.byOrderId.values()].flat().map((each) => each.transactionKey));

const hoursBefore = (hours: number) => new Date(NEWEST - hours * 60 * MINUTE);

describe('a list that is whole', () => {
  test.each([0, 1, 99, 100, 101, 345, 1000])('of %i rows is read to its end', (count) => {
    const rows = listOf(count);
    const reading = read(pagesOf(rows));
    expect(reading).toMatchObject({ isAtEnd: true, isBroken: false });
    expect(keysIn(reading).size).toBe(count);
  });

  test('is read back to a date, and not to its end', () => {
    const reading = read(pagesOf(listOf(5_000)), hoursBefore(5));
    expect(reading.isBroken).toBe(false);
    expect(keysIn(reading).size).toBeLessThan(700);
    expect(keysIn(reading)).toContain(`k${5_000 - 299}`);
  });

  test('stays whole while rows are made between its pages', () => {
    const rows = listOf(700);
    const reading = read((ask) => {
      if (ask.call > 0)
        for (let index = 0; index < 8; index++)
          rows.unshift(row(`new${ask.call}-${index}`, new Date(NEWEST)));
      return pagesOf(rows)(ask);
    });
    expect(reading.isBroken).toBe(false);
    expect(
      rows.filter((each) => each.transactionKey.startsWith('k') && !keysIn(reading).has(each.transactionKey)),
    ).toEqual([]);
  });

  test('is read on when the provider puts fewer rows on a page than requested', () => {
    const rows = listOf(400);
    const reading = new ListReading();
    while (!reading.isAtEnd && !reading.isBroken) {
      const { offset } = reading.next;
      reading.add({
        kind: 'page',
        partial: [],
        limit: 50,
        total: 400,
        rows: rows.slice(offset, offset + 50),
      });
    }
    expect(reading.isBroken).toBe(false);
    expect(keysIn(reading).size).toBe(400);
  });

  test('passes on the night with an hour that occurs twice', () => {
    // By the wall clock: 02:30 back to 01:00, then 01:59 back to 01:00 again, then earlier.
    const wallClock = (index: number) => {
      const at = NEWEST - index * MINUTE;
      return new Date(index < 90 ? at : at + 60 * MINUTE);
    };
    const rows = listOf(2_000, wallClock);
    expect(read(pagesOf(rows))).toMatchObject({ isAtEnd: true, isBroken: false });
    const back = hoursBefore(10);
    const reading = read(pagesOf(rows), back);
    expect(reading).toMatchObject({ isBroken: false, isAtEnd: false });
    const younger = rows.filter(({ createdAt }) => createdAt !== null && createdAt >= back);
    expect(younger.filter((each) => !keysIn(reading).has(each.transactionKey))).toEqual([]);
  });

  test('in no order is complete when all of its keys were read, and not before', () => {
    const rows = listOf(1_200).toReversed();
    const reading = read(pagesOf(rows), hoursBefore(2));
    expect(reading).toMatchObject({ isAtEnd: true, isBroken: false });
    expect(keysIn(reading).size).toBe(1_200);
  });
});

describe('rows without a time', () => {
  test('are read, and do not end a reading', () => {
    const rows = listOf(900, (index) => (index % 3 === 0 ? new Date(NEWEST - index * MINUTE) : null));
    const reading = read(pagesOf(rows), hoursBefore(5));
    expect(keysIn(reading)).toContain(rows[300]?.transactionKey);
    expect(reading.isAtEnd).toBe(false);
  });

  test('alone are read to the end of the list', () => {
    const reading = read(pagesOf(listOf(800, () => null)), hoursBefore(1));
    expect(reading).toMatchObject({ isAtEnd: true, isBroken: false });
  });

  test('or with an old time among young ones do not end the reading', () => {
    const rows = listOf(900, (index) => (index === 99 ? new Date(0) : new Date(NEWEST - index * MINUTE)));
    expect(keysIn(read(pagesOf(rows), hoursBefore(5)))).toContain(rows[290]?.transactionKey);
  });
});

describe('a list from which something is missing', () => {
  const rows = listOf(700);
  test.each<[string, (ask: Ask) => Shown]>([
    ['a row of its first page', (ask) => ({ ...pagesOf(rows)(ask), rows: pagesOf(rows)(ask).rows.slice(1) })],
    ['its rows', () => ({ rows: [], total: 700 })],
    [
      'its end',
      ({ offset, limit }) => ({ rows: rows.slice(0, 300).slice(offset, offset + limit), total: 700 }),
    ],
    [
      'a row, for which another stands twice',
      (ask) => {
        const page = pagesOf(rows)(ask);
        return { ...page, rows: [...page.rows.slice(1), ...page.rows.slice(-1)] };
      },
    ],
    [
      'a page, for which the one before is shown again',
      ({ offset, limit }) => ({ rows: rows.slice(Math.max(0, offset - 90)).slice(0, limit), total: 700 }),
    ],
  ])('%s, never reads as whole', (_, show) => {
    const reading = read(show);
    expect(reading).toMatchObject({ isBroken: true, isAtEnd: false });
  });

  test('is read again if rows leave between two pages, and nothing is lost', () => {
    const left = [...rows];
    const reading = read((ask) => {
      if (ask.call === 1) left.splice(0, 60);
      return pagesOf(left)(ask);
    });
    expect(reading.isBroken).toBe(false);
    expect(left.filter((each) => !keysIn(reading).has(each.transactionKey))).toEqual([]);
  });

  test('is noticed if a row moves to where was read, although no total changes', () => {
    const moved = [...rows];
    const reading = read((ask) => {
      if (ask.call === 1) moved.unshift(...moved.splice(500, 1));
      return pagesOf(moved)(ask);
    });
    expect(reading.isBroken).toBe(false);
    expect(keysIn(reading).size).toBe(700);
  });

  test('still shows what it has shown', () => {
    const reading = read(({ offset, limit }) => ({
      rows: rows.slice(offset + 1, offset + limit),
      total: 700,
    }));
    expect(reading.isBroken).toBe(true);
    expect(reading.byOrderId.has('order-k699')).toBe(true);
  });
});

describe('a reading', () => {
  const hour = 60 * MINUTE;
  const begun = new ListReading();
  begun.begin(new Date(NEWEST));
  const at = (hours: number) => new Date(NEWEST + hours * hour);

  test('fits everybody before its first page', () => {
    expect(new ListReading().isOf({ since: at(0), now: at(0) })).toBe(true);
  });

  test.each([
    ['began late enough', at(-1), at(2), true],
    ['began before that', at(1), at(2), false],
    ['began at a time that the clock, set back, has still to come to', at(-3), at(-2), false],
  ])('that %s', (_, since, now, serves) => {
    expect(begun.isOf({ since, now })).toBe(serves);
  });
});
