import { randomUUID } from 'node:crypto';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { UnpaidInvoice } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { codesOf, type Heard } from '../races/heard.ts';
import {
  asCustomer,
  asGuest,
  makeSharedInvoices,
  mustBePaidOnce,
  type Press,
  pressAt,
} from '../races/pay.ts';
import type { Surroundings } from './rig.ts';

/** Somebody who wants to pay some invoices; each press of Pay is one request. */
export type Wish = {
  invoices: UnpaidInvoice[];
  key: string;
  press(key?: string): Promise<Press>;
};

/** A guest with one invoice, or a customer with invoices on that many merchant accounts. */
export async function makeWish(
  people: Surroundings,
  { accounts }: { accounts: 'guest' | 1 | 3 },
): Promise<Wish> {
  const [customer] = people.customers;
  const invoices = await makeSharedInvoices(people, [customer], {
    invoices: accounts === 'guest' ? 1 : accounts,
  });
  const own = randomUUID();
  return {
    invoices,
    key: own,
    press: (key = own) =>
      accounts === 'guest' ? asGuest(people, invoices, key) : asCustomer(people, customer, invoices, key),
  };
}

export async function pressAttacked(people: Surroundings, wish: Wish): Promise<Heard> {
  return pressAt(people, people.attacked, await wish.press());
}

/** Longer than any payment's deadline. */
const LONGEST_PAYMENT_SECONDS = 66;
const MOST_PRESSES = 5;

/** Presses Pay at the healthy portal as the page asks, and checks that each invoice was paid exactly once. */
export async function payInTheEnd(people: Surroundings, wish: Wish): Promise<void> {
  const [healthy] = people.instances;
  let key = wish.key;
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    const told = await pressAt(people, healthy, await wish.press(key));
    if (told.heard === 'paid') return mustBePaidOnce(people, wish.invoices);
    if (codesOf(told).includes('AlreadyPaid')) throw new Error('the payment is made under another key');
    if (told.heard === 'not charged') key = randomUUID();
    else await advanceEngineClock(healthy.deps, LONGEST_PAYMENT_SECONDS);
  }
  throw new Error(`not paid after ${MOST_PRESSES} presses`);
}
