import { INVOICE_COLUMNS, type InvoiceColumn } from '@brightpane/contract/office';
import { describe, expect, test } from 'vitest';
import { officeRow } from '../../../../test/office/office.ts';
import { readInvoiceRow } from './read-invoice-row.ts';

function read(given: Partial<Record<InvoiceColumn, string | undefined>>) {
  const row: Partial<Record<InvoiceColumn, string | undefined>> = { ...officeRow(), ...given };
  return readInvoiceRow(INVOICE_COLUMNS.map((column) => row[column]));
}

test('reads a row into cents, parts per million and calendar dates', () => {
  const read1 = read({ amount: '108.3', salesTaxAmount: '8', salesTaxRate: '0.08875', paidElsewhere: '40' });
  expect(read1).toMatchObject({
    ok: true,
    row: {
      amount: 108_30,
      salesTaxAmount: 8_00,
      salesTaxRate: 88_750,
      paidElsewhere: 40_00,
      dueDate: '2026-11-30',
    },
  });
});

test.each(INVOICE_COLUMNS.slice(0, -1))('refuses a row that leaves %s out', (column) => {
  expect(read({ [column]: undefined })).toMatchObject({
    ok: false,
    faults: [{ column, value: '', sentence: `${column} is missing` }],
  });
});

test.each<[string, InvoiceColumn, string | undefined, unknown]>([
  ['no due date', 'dueDate', '', null],
  ['no completed date', 'completedDate', ' ', null],
  ['a leap day', 'dueDate', '2028-02-29', '2028-02-29'],
  ['no email', 'customerEmail', '', null],
  ['an email between marks of direction', 'customerEmail', '\u2068zoe@example.com\u2069', 'zoe@example.com'],
  ['no state', 'state', '', ''],
  ['no zip', 'zipCode', '', ''],
  ['spaces around', 'customerName', '  José Á.  ', 'José Á.'],
  ['an emoji', 'description', 'Haus 🪟', 'Haus 🪟'],
  ['lines of a service', 'service', 'Windows\r\n Gutters\nScreens', 'Windows; Gutters; Screens'],
  ['an amount of zero', 'amount', '8.25', 8_25],
  ['a rate of zero', 'salesTaxRate', '0', 0],
  ['a rate of one', 'salesTaxRate', '1', 1_000_000],
  ['true as a spreadsheet writes it', 'tipsEnabled', 'TRUE', true],
  ['false', 'tipsEnabled', 'false', false],
  ['nothing received', 'paidElsewhere', '', 0],
  ['a sender that says nothing of what was received', 'paidElsewhere', undefined, null],
])('%s is taken', (_what, column, given, expected) => {
  const result = read({ [column]: given });
  expect(result.ok && result.row[column]).toBe(expected);
});

const DOLLARS = 'must be dollars such as 108.25, from 0 to 99999999.99';
const DATE = 'must be a date such as 2026-11-30';
const ZONE = 'must be a time zone such as America/Chicago';
const RATE = 'must be a fraction of at most 1, such as 0.0825';

describe.each<[InvoiceColumn, string, string[]]>([
  [
    'franchiseId',
    'must be a whole number from 1 to 999999999',
    ['', '0', '-1', '1.5', 'abc', '1e3', '1000000000'],
  ],
  ['workOrderNumber', 'must be a whole number from 1 to 9999999999', ['', '0', '10000000000', '٣']],
  ['customerNumber', 'must be a whole number from 1 to 999999999999999', ['', '0', '1234567890123456']],
  ['locationId', 'must be a whole number from 1 to 999999999999999', ['', '0', 'A-12']],
  ['franchiseName', 'is missing', ['', '  ']],
  ['franchiseName', 'must have at most 200 characters', ['a'.repeat(201)]],
  ['franchiseName', 'must not have control characters', ['a\u0000b', 'a\tb', 'a\nb']],
  ['customerName', 'is missing', ['']],
  ['customerName', 'must be UTF-8 text', ['K\uFFFDhler', '\uD800']],
  ['addressLine1', 'is missing', ['']],
  ['city', 'must have at most 100 characters', ['a'.repeat(101)]],
  ['zipCode', 'must have at most 20 characters', ['1'.repeat(21)]],
  ['service', 'must have at most 20000 characters', ['a'.repeat(20_001)]],
  [
    'customerEmail',
    'must be an email address',
    ['zoe', 'zoe@', 'a b@example.com', 'zoe@example.com, b@example.com'],
  ],
  ['timeZone', ZONE, ['', 'Chicago', 'America/Springfield', '+05:00', 'GMT+25']],
  ['completedDate', DATE, ['2026-02-30', '2026-13-01', '30/11/2026', '2026-11-30T00:00Z', '0001-01-01']],
  ['dueDate', DATE, ['2027-02-29', 'tomorrow', '2026-1-5']],
  ['amount', DOLLARS, ['', '-1', '12.345', '1,234.00', '$5', 'NaN', 'Infinity', '1e3', '100000000']],
  ['salesTaxAmount', DOLLARS, ['', '-0.01', '0.001']],
  ['salesTaxRate', RATE, ['', '8.25', '-0.1', '0.0000001', '8%', '1.000001']],
  ['tipsEnabled', 'must be true or false', ['', 'yes', '1', 'constructor']],
  ['paidElsewhere', DOLLARS, ['-5', 'all']],
])('%s %s', (column, sentence, refused) => {
  test.each(refused)('%j is refused', (value) => {
    const result = read({ [column]: value });
    const shown = value.trim().slice(0, 40).toWellFormed();
    const quoted = shown === '' ? '' : `${JSON.stringify(shown)} `;
    expect(result).toEqual({
      ok: false,
      faults: [
        {
          column,
          value: shown.replaceAll('\0', '\ufffd'),
          rule: sentence,
          sentence: `${column} ${quoted}${sentence}`,
        },
      ],
    });
  });
});

test('refuses more tax than amount', () => {
  expect(read({ amount: '8.00', salesTaxAmount: '8.01' })).toEqual({
    ok: false,
    faults: [
      {
        column: 'salesTaxAmount',
        value: '8.01',
        rule: 'must not be more than amount, which includes it',
        sentence: 'salesTaxAmount must not be more than amount, which includes it',
      },
    ],
  });
});

test('names every fault of a row', () => {
  const result = read({ amount: 'x', dueDate: 'y', tipsEnabled: 'z' });
  expect(result.ok || result.faults).toHaveLength(3);
});

test.each<InvoiceColumn>([
  'franchiseName',
  'customerName',
  'description',
  'addressLine1',
  'city',
  'state',
  'zipCode',
  'service',
])('a card number for %s is refused, and not repeated', (column) => {
  expect(read({ [column]: '4000-1000-1111-2224' })).toEqual({
    ok: false,
    faults: [
      {
        column,
        value: '',
        rule: 'must not hold a card number',
        sentence: `${column} must not hold a card number`,
      },
    ],
  });
});

test.each<[InvoiceColumn, string]>([
  ['customerEmail', '4000100011112224@example.com'],
  ['workOrderNumber', '4000100011112224'],
])('a card number for %s is not repeated', (column, value) => {
  const result = read({ [column]: value });
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain('4000100011112224');
});

test.each([
  [
    'that begins among the shown characters',
    `${'x'.repeat(38)} 4000 - 1000 - 1111 - 2224 ${'x'.repeat(200)}`,
    '',
  ],
  ['far behind the shown characters', `${'x'.repeat(200)} 4000100011112224`, 'x'.repeat(40)],
])('a card number %s is not repeated', (_where, value, expected) => {
  const result = read({ city: value });
  expect(result.ok || result.faults).toMatchObject([{ column: 'city', value: expected }]);
});
