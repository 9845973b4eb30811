import { describe, expect, test } from 'vitest';
import { type Draft, linesToSend, mostCents, previewOf, restsOf, shortcutsOf } from './what-goes-back.ts';

const NONE = {
  invoice: 0,
  tax: 0,
  services: 0,
  servicesTax: 0,
  tip: 0,
  overpaid: 0,
  overpaidTax: 0,
  excess: 0,
};
const rests = (workOrderNumber: number, left: Partial<typeof NONE>) =>
  restsOf({ franchiseId: 11, workOrderNumber, ...NONE, ...left });

const PLAIN = rests(1001, { invoice: 100, tax: 8.25, tip: 5 });
const SERVED = rests(1002, {
  invoice: 100,
  tax: 8.25,
  services: 20,
  servicesTax: 1.65,
  overpaid: 108.25,
  excess: 108.25,
});

const draft = (given: Partial<Draft>): Draft => ({
  shortcut: 'amount',
  workOrder: '11/1001',
  amount: '',
  services: '',
  effect: null,
  ...given,
});

const partsOf = (given: Partial<Draft>, all = [PLAIN]) =>
  previewOf(all, draft(given))?.map(({ parts, tipCents, dueCents }) => [
    [parts.invoiceCents, parts.taxCents, parts.servicesCents, parts.servicesTaxCents, tipCents],
    dueCents,
  ]);

describe('the preview', () => {
  test('of the whole payment takes everything along, the tip too', () => {
    expect(partsOf({ shortcut: 'whole', effect: 'due-again' })).toEqual([
      [[100_00, 8_25, 0, 0, 5_00], 108_25],
    ]);
  });

  test('of an amount is spread as the server spreads it', () => {
    expect(partsOf({ amount: '50', effect: 'credited' })).toEqual([[[46_19, 3_81, 0, 0, 0], 50_00]]);
    const served = { workOrder: '11/1002', effect: 'credited' } as const;
    expect(partsOf({ ...served, amount: '60' }, [SERVED])).toMatchObject([[[46_19, 3_81, 9_24, 76, 0], 0]]);
    expect(partsOf({ ...served, amount: '21.65', services: '21.65' }, [SERVED])).toMatchObject([
      [[0, 0, 20_00, 1_65, 0], 0],
    ]);
  });

  test('of an amount with commas between thousands is of that amount', () => {
    const all = [rests(1001, { invoice: 2000 })];
    expect(partsOf({ amount: '1,234.50', effect: 'credited' }, all)).toMatchObject([
      [[1_234_50, 0, 0, 0, 0], 1_234_50],
    ]);
    expect(linesToSend(all, draft({ amount: '1,234.50' }))).toMatchObject([{ amount: 1234.5 }]);
  });

  test('of what is overpaid takes nothing from services, and makes nothing due', () => {
    const all = [SERVED];
    const given = { shortcut: 'overpaid', workOrder: '11/1002', amount: '108.25' } as const;
    expect(partsOf(given, all)).toEqual([[[100_00, 8_25, 0, 0, 0], 0]]);
    expect(linesToSend(all, draft(given))).toEqual([
      { franchiseId: 11, workOrderNumber: 1002, amount: 108.25, effect: 'due-again', services: 0 },
    ]);
  });

  test('of what is overpaid is no more than the card paid, where a payer’s credit is left', () => {
    const credit = { services: -10, servicesTax: -0.83 };
    const credited = rests(1001, { invoice: 100, tax: 8.25, ...credit, overpaid: 100, excess: 100 });
    expect(mostCents('overpaid', credited)).toBe(97_42);
    const overpaid = { shortcut: 'overpaid', amount: '97.42' } as const;
    expect(partsOf(overpaid, [credited])).toEqual([[[100_00, 8_25, -10_00, -83, 0], 8_25]]);
    expect(partsOf({ ...overpaid, amount: '100' }, [credited])).toBeUndefined();
  });

  test('makes less due by a payer’s credit that the office has copied into the amount', () => {
    const all = [rests(1001, { invoice: 100, services: -10, excess: 10 })];
    expect(partsOf({ amount: '18', effect: 'due-again' }, all)).toEqual([[[20_00, 0, -2_00, 0, 0], 10_00]]);
  });

  test('goes by what is overpaid where an instance from before an update does not say what is in excess', () => {
    const { excess: _, ...before } = { ...NONE, invoice: 100, overpaid: 30 };
    const all = [restsOf({ franchiseId: 11, workOrderNumber: 1001, ...before })];
    expect(partsOf({ amount: '50', effect: 'due-again' }, all)).toEqual([[[50_00, 0, 0, 0, 0], 20_00]]);
  });

  test.each(['', 'lots', '0', '108.26', '1.005'])(
    'of %j there is none, and it is sent as it was typed',
    (amount) => {
      expect(partsOf({ amount })).toBeUndefined();
      const [line] = linesToSend([PLAIN], draft({ amount }));
      expect(String(line?.amount)).toBe(amount);
    },
  );
});

test('a payment offers what it has something for', () => {
  expect(shortcutsOf([PLAIN])).toEqual(['whole', 'tip', 'amount']);
  expect(shortcutsOf([PLAIN, SERVED])).toEqual(['whole', 'invoice', 'tip', 'services', 'overpaid', 'amount']);
});

test('sends the invoice’s effect only where the form asked for it', () => {
  const sent = (given: Partial<Draft>) => linesToSend([PLAIN], draft({ effect: 'credited', ...given }))[0];
  expect(sent({ shortcut: 'tip', amount: '5.00' })).toEqual({
    franchiseId: 11,
    workOrderNumber: 1001,
    tip: 5,
  });
  expect(sent({ shortcut: 'whole' })).toMatchObject({ effect: 'credited' });
});

test('sends all that is left by the amounts that were shown: by now, more may be left', () => {
  const of = (workOrderNumber: number) => ({ franchiseId: 11, workOrderNumber, effect: 'due-again' });
  const all = [PLAIN, SERVED, rests(1003, { tip: 2 }), rests(1004, { invoice: 100_000, tip: 1 })];
  expect(linesToSend(all, draft({ shortcut: 'whole', effect: 'due-again' }))).toEqual([
    { ...of(1001), amount: 108.25, tip: 5 },
    { ...of(1002), amount: 129.9 },
    { ...of(1003), tip: 2 },
    of(1004),
  ]);
  const one = { shortcut: 'invoice', workOrder: '11/1002', effect: 'due-again' } as const;
  expect(linesToSend(all, draft(one))).toEqual([{ ...of(1002), amount: 129.9 }]);
});
