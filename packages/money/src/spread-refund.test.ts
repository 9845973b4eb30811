import { expect, test } from 'vitest';
import { cents } from './cents.ts';
import { type Overpayment, type RefundParts, refundableCents, spreadRefund } from './spread-refund.ts';

type Four = [invoice: number, tax: number, services: number, servicesTax: number];

function partsOf([invoice, tax, services, servicesTax]: Four): RefundParts {
  return {
    invoiceCents: cents(invoice),
    taxCents: cents(tax),
    servicesCents: cents(services),
    servicesTaxCents: cents(servicesTax),
  };
}

function fourOf(parts: RefundParts): Four {
  return [parts.invoiceCents, parts.taxCents, parts.servicesCents, parts.servicesTaxCents];
}

function left(rests: RefundParts, taken: RefundParts): RefundParts {
  const [taken0, taken1, taken2, taken3] = fourOf(taken);
  const [rest0, rest1, rest2, rest3] = fourOf(rests);
  return partsOf([rest0 - taken0, rest1 - taken1, rest2 - taken2, rest3 - taken3]);
}

type Refund = { amount: number; services?: number; overpaid?: [cash: number, excessTax: number] };

function spread(rests: RefundParts, { amount, services, overpaid }: Refund): RefundParts {
  return spreadRefund(rests, {
    amountCents: cents(amount),
    ...(services === undefined ? {} : { servicesCents: cents(services) }),
    ...(overpaid ? { overpaid: { cashCents: cents(overpaid[0]), excessTaxCents: overpaid[1] } } : {}),
  });
}

test.each<[says: string, payment: Four, refunds: Refund[], parts: Four[]]>([
  [
    'two halves and the last cents',
    [100_00, 8_25, 0, 0],
    [{ amount: 50_00 }, { amount: 50_00 }, { amount: 8_25 }],
    [
      [46_19, 3_81, 0, 0],
      [46_19, 3_81, 0, 0],
      [7_62, 63, 0, 0],
    ],
  ],
  [
    'the same amount three times',
    [10_00, 89, 0, 0],
    [{ amount: 3_63 }, { amount: 3_63 }, { amount: 3_63 }],
    [
      [3_33, 30, 0, 0],
      [3_33, 30, 0, 0],
      [3_34, 29, 0, 0],
    ],
  ],
  ['services in proportion', [100_00, 8_25, 20_00, 1_65], [{ amount: 60_00 }], [[46_19, 3_81, 9_24, 76]]],
  [
    'services alone',
    [100_00, 8_25, 20_00, 1_65],
    [{ amount: 21_65, services: 21_65 }],
    [[0, 0, 20_00, 1_65]],
  ],
  [
    'a check that came too, without services',
    [100_00, 8_25, 20_00, 1_65],
    [{ amount: 108_25, services: 0, overpaid: [108_25, 0] }],
    [[100_00, 8_25, 0, 0]],
  ],
  [
    "a payer's credit goes back in proportion",
    [100_00, 8_25, -10_00, -83],
    [{ amount: 48_71 }, { amount: 48_71 }],
    [
      [50_00, 4_13, -5_00, -42],
      [50_00, 4_12, -5_00, -41],
    ],
  ],
  [
    'an invoice that the import exempts from tax',
    [100_00, 8_25, 0, 0],
    [{ amount: 8_25, overpaid: [8_25, 8_25] }],
    [[0, 8_25, 0, 0]],
  ],
  [
    'an amount beyond what is overpaid takes the rest in proportion',
    [100_00, 8_25, 0, 0],
    [{ amount: 58_25, overpaid: [8_25, 8_25] }],
    [[50_00, 8_25, 0, 0]],
  ],
])('%s', (_says, payment, refunds, expected) => {
  let rests = partsOf(payment);
  const taken = refunds.map((refund) => {
    const parts = spread(rests, refund);
    rests = left(rests, parts);
    return fourOf(parts);
  });
  expect(taken).toEqual(expected);
});

test.each<[says: string, refund: Refund]>([
  ['nothing', { amount: 0 }],
  ['more than is left', { amount: 129_91 }],
  ['more services than were added', { amount: 30_00, services: 21_66 }],
  ['more services than the amount', { amount: 10_00, services: 10_01 }],
  ['services below nothing', { amount: 10_00, services: -1 }],
  ['more than the invoice beside the services', { amount: 120_00, services: 10_00 }],
])('%s is never spread', (_says, refund) => {
  expect(() => spread(partsOf([100_00, 8_25, 20_00, 1_65]), refund)).toThrow(RangeError);
});

/** A seeded generator without objects: allocating one per payment would take most of the test's time. */
function drawsFrom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function drawPayment(draw: (below: number) => number): RefundParts {
  const size = 10 ** (1 + draw(7));
  const invoice = draw(size);
  const tax = draw(Math.floor(invoice / 5) + 2);
  const servicesTaxRate = draw(200);
  const services = [0, draw(size) + 1, -draw(Math.floor(invoice / 2) + 1)][draw(3)] ?? 0;
  const servicesTax = Math.max(Math.round((services * servicesTaxRate) / 1000), -tax);
  return partsOf([invoice, tax, services, servicesTax]);
}

function drawOverpayment(draw: (below: number) => number, most: number): Overpayment | undefined {
  const cash = draw(most + 2);
  return draw(3) === 0 ? { cashCents: cents(cash), excessTaxCents: draw(cash + 20) - 10 } : undefined;
}

function drawRefund(draw: (below: number) => number, rests: RefundParts) {
  const refundable = refundableCents(rests);
  const amount = draw(4) === 0 ? refundable : 1 + draw(refundable);
  const invoiceWithTax = rests.invoiceCents + rests.taxCents;
  const services = rests.servicesCents + rests.servicesTaxCents;
  const least = Math.max(0, amount - invoiceWithTax);
  const most = Math.min(services, amount);
  const overpaid = drawOverpayment(draw, invoiceWithTax);
  return {
    amountCents: cents(amount),
    ...(services > 0 && draw(3) === 0 ? { servicesCents: cents(least + draw(most - least + 1)) } : {}),
    ...(overpaid ? { overpaid } : {}),
  };
}

/** What is wrong with a refund's parts, or undefined. */
function findWrong(rests: RefundParts, taken: RefundParts, amount: number): string | undefined {
  const amounts = fourOf(taken);
  const sum = amounts.reduce((total, part) => total + part, 0);
  if (sum !== amount) return `${amounts} sum to ${sum}, not to ${amount}`;
  const outside = fourOf(rests).some((rest, part) => {
    const share = amounts[part] ?? 0;
    return rest >= 0 ? share < 0 || share > rest : share > 0 || share < rest;
  });
  return outside ? `${amounts} leave ${fourOf(rests)}` : undefined;
}

test('of 100,000 payments with any refunds no part leaves its rest, no sum is off, and nothing stays behind', () => {
  const found: string[] = [];
  const refundAll = (seed: number): void => {
    const draw = drawsFrom(seed);
    let rests = drawPayment(draw);
    while (refundableCents(rests) > 0) {
      const refund = drawRefund(draw, rests);
      const taken = spreadRefund(rests, refund);
      const wrong = findWrong(rests, taken, refund.amountCents);
      if (wrong) found.push(`seed ${seed}: ${wrong}`);
      rests = left(rests, taken);
    }
    if (fourOf(rests).some((rest) => rest !== 0)) found.push(`seed ${seed}: ${fourOf(rests)} stay behind`);
  };
  for (let seed = 1; seed <= 100_000; seed += 1) refundAll(seed);
  expect(found).toEqual([]);
});
