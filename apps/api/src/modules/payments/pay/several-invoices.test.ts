import { type Cents, cents, formatUsd, sumCents } from '@brightpane/money/cents';
import { invoiceTotals } from '@brightpane/money/invoice-totals';
import { ratePpm } from '@brightpane/money/rate';
import { and, eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
  type UnpaidInvoice,
} from '../../../../test/factories/unpaid-invoices.ts';
import { linkLocation, type SignedInUser, signInUser } from '../../../../test/factories/users.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { franchise, invoice } from '../../../db/schema/franchises.ts';
import { outgoingMail } from '../../../db/schema/operations.ts';
import { chargeAllocation, invoiceClaim } from '../../../db/schema/payments.ts';

const { emulator, portal, db, sweepAll, expectBalanced } = usePayments();

beforeEach(() => emulator.clearFaults());

async function buyer() {
  const user = await signInUser(portal);
  return { user, paymentMethodId: await addCard(portal, emulator, user) };
}

async function unpaidOf(user: SignedInUser, invoices: number, accounts: number) {
  const franchises = await makeFranchises(portal, emulator, { accounts });
  return { franchises, unpaid: await makeUnpaidInvoices(portal, { user, franchises, invoices }) };
}

const rowsOf = (unpaid: UnpaidInvoice[]) =>
  db()
    .select()
    .from(invoice)
    .where(
      inArray(
        invoice.id,
        unpaid.map((made) => made.invoiceId),
      ),
    )
    .orderBy(invoice.id);

async function receiptsOf(recipient: string): Promise<string[]> {
  const mails = await db()
    .select()
    .from(outgoingMail)
    .where(and(eq(outgoingMail.kind, 'payment-receipt'), eq(outgoingMail.recipient, recipient)));
  return mails.map(({ content }) => ('text' in content ? content.text : ''));
}

/** Each work order of a receipt with its total, checked against the sum of its lines. */
function sectionsOf(receipt: string): [workOrderNumber: number, totalCents: number][] {
  return [...receipt.matchAll(/^Work order (\d+), .*\n-+\n\n((?:.+\n?)+)/gm)].map(
    ([, number, table = '']) => {
      const amounts = [...table.matchAll(/^.*\s{2,}(-?)\$([\d,]+)\.(\d\d)$/gm)].map(
        ([, sign, dollars = '', fraction = '']) => Number(`${sign}${dollars.replaceAll(',', '')}${fraction}`),
      );
      const total = amounts.pop() ?? Number.NaN;
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(total);
      return [Number(number), total];
    },
  );
}

async function expectNothingHappened(unpaid: UnpaidInvoice[]): Promise<void> {
  for (const row of await rowsOf(unpaid)) expect(row.balanceCents).toBe(row.amountCents);
  const live = await db().select().from(invoiceClaim).where(eq(invoiceClaim.state, 'live'));
  expect(live).toEqual([]);
}

/** Used in turn: nothing added, a tip, a service, a credit and a tip. */
const ADDITIONS = [
  {},
  { tipAmount: 12.34 },
  { additionalServiceAmount: 10, additionalServicesNote: 'Gutters' },
  { additionalServiceAmount: -7.77, additionalServicesNote: 'A pane was left out', tipAmount: 3 },
] as const;

const centsOf = (dollars: number | undefined): Cents => cents(Math.round((dollars ?? 0) * 100));

describe('a payment of several invoices', () => {
  test.each([
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 3],
    [50, 1],
    [50, 5],
    [300, 1],
    [300, 5],
  ])('of %i invoices over %i accounts is paid to the cent', async (invoices, accounts) => {
    const { user, paymentMethodId } = await buyer();
    const { unpaid } = await unpaidOf(user, invoices, accounts);
    const due = new Map((await rowsOf(unpaid)).map((row) => [row.id, row.amountCents]));
    const sale = portalSale(unpaid, { paymentMethodId });
    const expected = unpaid.map((made, index) => {
      const added: { additionalServiceAmount?: number; tipAmount?: number } =
        ADDITIONS[index % ADDITIONS.length] ?? {};
      Object.assign(sale.workOrders[index] ?? {}, added);
      const { totalCents } = invoiceTotals({
        balanceCents: cents(due.get(made.invoiceId) ?? 0),
        salesTaxCents: cents(8_25),
        taxRatePpm: ratePpm(82_500),
        servicesCents: centsOf(added.additionalServiceAmount),
        tipCents: centsOf(added.tipAmount),
      });
      return { ...made, totalCents };
    });
    const total = sumCents(expected.map((line) => line.totalCents));

    const answer = await payAsCustomer(portal, user.token, sale);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      amount: total / 100,
      references: expect.any(Array),
      paymentId: expect.any(String),
    });
    const { references } = answer.json<{ references: string[] }>();
    expect(new Set(references).size).toBe(accounts);
    for (const row of await rowsOf(unpaid)) expect(row.balanceCents).toBe(0);

    await sweepAll();
    await expectBalanced();
    const captured = (await emulator.ledger()).filter((row) => references.includes(row.refnum));
    for (const [account, lines] of Map.groupBy(expected, (line) => line.account)) {
      const amountCents = sumCents(lines.map((line) => line.totalCents));
      expect(captured.filter((row) => row.merchant === account)).toMatchObject([
        { amount: (amountCents / 100).toFixed(2), trantype_code: expect.stringMatching(/[LS]/) },
      ]);
    }

    const receipts = await receiptsOf(user.email);
    expect(receipts).toHaveLength(1);
    const [receipt = ''] = receipts;
    expect(new Map(sectionsOf(receipt))).toEqual(
      new Map(expected.map((line) => [line.workOrderNumber, line.totalCents])),
    );
    expect(receipt).toContain(formatUsd(total));
    for (const reference of references) expect(receipt).toContain(reference);
    const allocated = await db()
      .select()
      .from(chargeAllocation)
      .where(
        inArray(
          chargeAllocation.invoiceId,
          unpaid.map((made) => made.invoiceId),
        ),
      );
    expect(allocated).toHaveLength(invoices);
  });
});

/** How an authorization can fail, as scripted in the emulator. */
const FAILURES = {
  'a decline': {
    fault: {
      fault: 'wrong',
      when: 'before',
      answer: { result_code: 'D', result: 'Declined', error: 'Insufficient funds', error_code: 10251 },
    },
    status: 400,
    says: /Insufficient funds.*Your card was not charged\./,
    mayHold: false,
  },
  'a partial approval': {
    fault: { fault: 'partial' },
    status: 400,
    says: /could not be charged in full\. Your card was not charged\./,
    mayHold: true,
  },
  'a refused call': {
    fault: { fault: 'status', status: 429 },
    status: 503,
    says: /Your card was not charged\. Please try again\./,
    mayHold: false,
  },
  'a lost authorization': {
    fault: { fault: 'reset', when: 'after' },
    status: 503,
    says: /Your card was not charged\. Please try again\./,
    mayHold: true,
  },
} as const;

const PENDING = / A pending amount at your bank disappears by itself\.$/;

describe.each(Object.entries(FAILURES))('%s', (_what, { fault, status, says, mayHold }) => {
  test.each([1, 2, 3, 4, 5])('on account %i of 5 changes nothing', async (k) => {
    const { user, paymentMethodId } = await buyer();
    const { unpaid, franchises } = await unpaidOf(user, 10, 5);
    const sale = portalSale(unpaid, { paymentMethodId }, { tipAmount: 1 });
    await emulator.script({ ...fault, command: 'cc:authonly', after: k - 1 });

    const answer = await payAsCustomer(portal, user.token, sale);

    expect(answer.statusCode).toBe(status);
    const { detail, errors } = answer.json<{ detail: string; errors: { code: string }[] }>();
    expect(detail).toMatch(says);
    // The holds of the accounts before it stand until they are released.
    if (mayHold || k > 1) expect(detail).toMatch(PENDING);
    else expect(detail).not.toMatch(PENDING);
    expect(errors[0]?.code).toBe('NotCharged');
    const failed = franchises[k - 1]?.franchiseId ?? 0;
    const [named] = await db().select().from(franchise).where(eq(franchise.id, failed));
    expect(detail).toContain(named?.name);
    await expectNothingHappened(unpaid);
    expect(await receiptsOf(user.email)).toEqual([]);

    // The payer can retry at once, before any hold is released.
    expect((await payAsCustomer(portal, user.token, sale)).statusCode).toBe(200);
    await sweepAll();
    await expectBalanced();
    const states = (await chargesOf(portal.deps)).map((charge) => charge.state);
    expect(states.filter((state) => ['authorising', 'authorised', 'unresolved'].includes(state))).toEqual([]);
  });
});

describe('payments of the same invoices at once', () => {
  type Payer = { user: SignedInUser; paymentMethodId: string };

  async function sharing(count: number, unpaid: UnpaidInvoice[]): Promise<Payer[]> {
    const locations = [...new Set(unpaid.map((made) => made.locationId))];
    return Promise.all(
      Array.from({ length: count }, async () => {
        const payer = await buyer();
        for (const locationId of locations) await linkLocation(portal, { ...payer.user, locationId });
        return payer;
      }),
    );
  }

  const payOf = ({ user, paymentMethodId }: Payer, invoices: UnpaidInvoice[]) =>
    payAsCustomer(portal, user.token, portalSale(invoices, { paymentMethodId }));

  const heardWhy = (answer: { statusCode: number; json(): { detail: string } }) => {
    const { detail } = answer.json();
    if (answer.statusCode === 400) expect(detail).toMatch(/^Work order \d+ is already paid\.$/);
    else {
      expect(answer.statusCode).toBe(409);
      expect(detail).toMatch(/^A payment for work order \d+ is already in progress\.$/);
    }
  };

  async function expectEachPaidAtMostOnce(unpaid: UnpaidInvoice[]): Promise<void> {
    await sweepAll();
    await expectBalanced();
    for (const row of await rowsOf(unpaid)) {
      const paid = await db()
        .select()
        .from(invoiceClaim)
        .where(and(eq(invoiceClaim.invoiceId, row.id), eq(invoiceClaim.state, 'paid')));
      expect(paid).toHaveLength(row.balanceCents === 0 ? 1 : 0);
    }
  }

  test.each([1, 2, 3, 4])('overlapping payments of several people, round %i', async (round) => {
    const { user } = await buyer();
    const { unpaid } = await unpaidOf(user, 6, 3);
    const payers = await sharing(6, unpaid);
    const wanted = payers.map((_payer, index) =>
      [0, 1, 2].map((step) => unpaid[(index * round + step) % unpaid.length] as UnpaidInvoice),
    );
    // Half of them list their invoices in reverse order.
    const answers = await Promise.all(
      payers.map((payer, index) => {
        const lines = wanted[index] ?? [];
        return payOf(payer, index % 2 === 0 ? lines : lines.toReversed());
      }),
    );
    for (const answer of answers) if (answer.statusCode !== 200) heardWhy(answer);
    expect(answers.some((answer) => answer.statusCode === 200)).toBe(true);
    await expectEachPaidAtMostOnce(unpaid);
  });

  test('a guest and the portal: one pays, the other hears why', async () => {
    for (let round = 0; round < 5; round++) {
      const payer = await buyer();
      const { unpaid } = await unpaidOf(payer.user, 2, 2);
      const guests = await Promise.all(
        unpaid.map((made) => guestSale(emulator, made, { merchant: made.account })),
      );
      const answers = await Promise.all([
        payOf(payer, unpaid),
        ...guests.map((body) => payAsGuest(portal, body)),
      ]);
      for (const answer of answers) if (answer.statusCode !== 200) heardWhy(answer);
      expect(answers.some((answer) => answer.statusCode === 200)).toBe(true);
      await expectEachPaidAtMostOnce(unpaid);
    }
  });

  test('two tabs of one person: one payment is paid', async () => {
    const payer = await buyer();
    const { unpaid } = await unpaidOf(payer.user, 3, 2);
    const sale = portalSale(unpaid, { paymentMethodId: payer.paymentMethodId });
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((tab) =>
        payAsCustomer(portal, payer.user.token, sale, { 'idempotency-key': `tab-${tab}` }),
      ),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.statusCode !== 200) heardWhy(answer);
    await expectEachPaidAtMostOnce(unpaid);
  });

  test('twenty presses of one payment charge it once', async () => {
    const payer = await buyer();
    const { unpaid } = await unpaidOf(payer.user, 3, 2);
    const sale = portalSale(unpaid, { paymentMethodId: payer.paymentMethodId });
    const headers = { 'idempotency-key': 'impatient' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => payAsCustomer(portal, payer.user.token, sale, headers)),
    );
    const bodies = new Set(answers.map((answer) => answer.body));
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(20).fill(200));
    expect(bodies.size).toBe(1);
    await expectEachPaidAtMostOnce(unpaid);
  });
});
