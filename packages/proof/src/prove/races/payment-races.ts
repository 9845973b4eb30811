import { randomUUID } from 'node:crypto';
import type { UnpaidInvoice } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import type { Attack, Round } from '../attack.ts';
import { codesOf, type Heard } from './heard.ts';
import { asCustomer, asGuest, makeSharedInvoices, mustBePaidOnce, type Press, press } from './pay.ts';
import type { Customer } from './people.ts';
import type { RaceRig } from './rig.ts';

/** What a loser may be told: that somebody else is paying, or was quicker. */
const LOSER_CODES = ['InProgress', 'AlreadyPaid', 'InvoiceChanged'];

export const paymentRaces: Attack<RaceRig>[] = [
  {
    id: 'F20',
    name: 'a double click of 2 to 10 is one charge, and everybody hears the same or to wait',
    runs: 50,
    async run(rig, round) {
      const { run, random } = round;
      const [customer] = pickCustomers(rig, round, 1);
      const invoices = await makeSharedInvoices(rig, [customer], { invoices: [1, 1, 3][run % 3] ?? 1 });
      const key = randomUUID();
      const sale = run % 3 === 0 ? null : await asCustomer(rig, customer, invoices, key);
      const clicks = 2 + random.integer(9);
      const told = await Promise.all(
        Array.from({ length: clicks }, async () =>
          press(rig, round, sale ?? (await asGuest(rig, invoices, key))),
        ),
      );
      mustHold(told.some(isPaid), 'nobody heard that it is paid', told);
      const different = new Set(told.filter(isPaid).map(({ body }) => JSON.stringify(body)));
      mustHold(different.size === 1, 'two clicks heard different answers', told);
      mustHold(
        told.every((each) => isPaid(each) || isInProgress(each)),
        'a click heard something else',
        told,
      );
      await mustBePaidOnce(rig, invoices);
    },
  },
  {
    id: 'F21',
    name: 'two tabs of one customer are one charge',
    runs: 50,
    async run(rig, round) {
      const [customer] = pickCustomers(rig, round, 1);
      const invoices = await makeSharedInvoices(rig, [customer], { invoices: round.run % 2 === 0 ? 1 : 3 });
      const tabs = [await asCustomer(rig, customer, invoices), await asCustomer(rig, customer, invoices)];
      await mustHaveOneWinner(rig, round, { presses: tabs, invoices });
    },
  },
  {
    id: 'F22',
    name: 'two customers who share a location are one charge',
    runs: 50,
    async run(rig, round) {
      const both = pickCustomers(rig, round, 2);
      const invoices = await makeSharedInvoices(rig, both, { invoices: round.run % 2 === 0 ? 1 : 3 });
      const presses = await Promise.all(both.map((customer) => asCustomer(rig, customer, invoices)));
      await mustHaveOneWinner(rig, round, { presses, invoices });
    },
  },
  {
    id: 'F23',
    name: 'a guest and a customer at once are one charge',
    runs: 50,
    async run(rig, round) {
      const [customer] = pickCustomers(rig, round, 1);
      const invoices = await makeSharedInvoices(rig, [customer], { invoices: 1 });
      const presses = [await asGuest(rig, invoices), await asCustomer(rig, customer, invoices)];
      await mustHaveOneWinner(rig, round, { presses, invoices });
    },
  },
  {
    id: 'F24',
    name: 'payments that overlap are paid whole or not at all, and nobody hears of a deadlock',
    runs: 100,
    async run(rig, round) {
      const { random } = round;
      const payers = pickCustomers(rig, round, 3 + random.integer(6));
      const invoices = await makeSharedInvoices(rig, payers, { invoices: 3 });
      const presses = await Promise.all(
        payers.map((customer, index) => asCustomer(rig, customer, pair(invoices, index))),
      );
      const told = await Promise.all(presses.map((each) => press(rig, round, each)));
      mustHold(told.some(isPaid), 'nobody has paid', told);
      mustHold(
        told.every((each) => isPaid(each) || isLoser(each)),
        'a payer heard something else',
        told,
      );
      // Any two of these payments share an invoice.
      mustHold(told.filter(isPaid).length === 1, 'two payments with the same invoice were paid', told);
      const winner = told.findIndex(isPaid);
      await mustBePaidOnce(rig, pair(invoices, winner));
    },
  },
];

/** {A,B}, {B,C}, {C,A}, each in its own order. */
function pair(invoices: UnpaidInvoice[], index: number): UnpaidInvoice[] {
  return [index % 3, (index + 1) % 3].map((place) => {
    const invoice = invoices[place];
    if (!invoice) throw new Error('three invoices are needed');
    return invoice;
  });
}

async function mustHaveOneWinner(
  rig: RaceRig,
  round: Round,
  { presses, invoices }: { presses: Press[]; invoices: UnpaidInvoice[] },
): Promise<void> {
  const told = await Promise.all(presses.map((each) => press(rig, round, each)));
  mustHold(told.filter(isPaid).length === 1, 'not one has won', told);
  mustHold(
    told.every((each) => isPaid(each) || isLoser(each)),
    'a loser heard something else',
    told,
  );
  await mustBePaidOnce(rig, invoices);
}

const isPaid = ({ heard }: Heard) => heard === 'paid';
const isInProgress = (told: Heard) => told.status === 409 && codesOf(told).includes('InProgress');
const isLoser = (told: Heard) =>
  (told.status === 409 || told.status === 400) && LOSER_CODES.some((code) => codesOf(told).includes(code));

function mustHold(holds: boolean, otherwise: string, told: Heard[]): void {
  if (holds) return;
  const heard = told.map(({ status, heard, body }) => `${status} ${heard} ${JSON.stringify(body)}`);
  throw new Error(`${otherwise}:\n${heard.join('\n')}`);
}

/** That many different customers. */
function pickCustomers(rig: RaceRig, { random }: Round, count: number): [Customer, ...Customer[]] {
  const left = [...rig.customers];
  const picked = Array.from({ length: count }, () => left.splice(random.integer(left.length), 1)).flat();
  return picked as [Customer, ...Customer[]];
}
