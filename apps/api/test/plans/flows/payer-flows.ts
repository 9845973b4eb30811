import { randomUUID } from 'node:crypto';
import type { ListedPayment, Payments, Statement } from '@brightpane/contract/invoices/payment-history';
import { openDocument } from '../../../src/modules/documents/open-document.ts';
import { openReceipt } from '../../../src/modules/documents/open-receipt.ts';
import { call, type TestApp } from '../../build-test-app.ts';
import type { TestEmulator } from '../../emulator.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { freshPayer, giveOffer, registerByOffer, useOfferOf } from '../../factories/offers.ts';
import { guestSale, payAsGuest } from '../../factories/payments/payments.ts';
import { addCard, payAsCustomer, portalSale } from '../../factories/unpaid-invoices.ts';
import { newestLink } from '../../mail/mailbox.ts';
import type { PlanCustomer } from '../customers.ts';
import type { Step } from '../recorder.ts';

/** Everything that a customer does with invoices, locations and cards, and a guest with one invoice. */
export async function usePortal(
  portal: TestApp,
  step: Step,
  { emulator, customer }: { emulator: TestEmulator; customer: PlanCustomer },
): Promise<void> {
  const { token, invoices } = customer;
  const get = (path: string) => call(portal, 'GET', path, { token });
  const [, own] = invoices;
  if (!own) throw new Error('a customer here has two invoices or more');

  const other = await makeInvoice(portal.deps.db.query);
  const numbers = ({ franchiseId, workOrderNumber, zipCode }: typeof other) => ({
    franchiseId,
    workOrderNumber,
    zipCode,
  });
  await step('look an invoice up', () =>
    call(portal, 'POST', '/user/invoice/search', { body: numbers(other) }),
  );
  const guest = await guestSale(emulator, other, { sendReceipt: true, email: 'ana@example.com' });
  const key = { 'idempotency-key': randomUUID() };
  await step('pay as a guest', () => payAsGuest(portal, guest, key));
  await step('pay as a guest once more', () => payAsGuest(portal, guest, key));

  await takeAlong(portal, step, { emulator, token });

  await step('pending invitations', () => get('/user/invitations'));
  await step('accept invitations', () => call(portal, 'POST', '/user/invitations', { token, body: {} }));
  await step('accept them again', () => call(portal, 'POST', '/user/invitations', { token, body: {} }));
  await step('invoices', () => get('/user/invoice'));
  await step('locations', () => get('/user/location'));
  const added = await makeInvoice(portal.deps.db.query);
  await step('add a location', () => call(portal, 'POST', '/user/location', { token, body: numbers(added) }));
  await step('remove a location', () =>
    call(portal, 'DELETE', `/user/location/${added.locationId}`, { token }),
  );

  const paymentMethodId = await step('add a card', () => addCard(portal, emulator, customer));
  const body = {
    paymentKey: await emulator.mintPaymentKey(),
    maskedCard: '4000xxxxxxxx2224',
    street: 'Maple Street 12',
    postalCode: '62704',
  };
  for (const name of ['add another card', 'add it again'])
    await step(name, () => call(portal, 'POST', '/usaepay/portal/paymentmethods', { token, body }));
  await step('cards', () => get('/usaepay/portal/paymentmethods'));
  const paid = await step('pay several invoices', () =>
    payAsCustomer(portal, token, portalSale(invoices, { paymentMethodId })),
  );
  if (paid.statusCode !== 200) throw new Error(paid.body);
  const history = await step('history of a location', () => get(`/user/location/${own.locationId}/history`));
  const [{ pdfLink } = { pdfLink: '' }] = history.json<{ pdfLink: string }[]>();
  const link = new URL(pdfLink);
  const opened = await step('a document', () =>
    openDocument(portal.deps, {
      file: link.pathname.split('/').at(-1) ?? '',
      query: Object.fromEntries(link.searchParams),
    }),
  );
  if (!opened.ok) throw new Error(opened.code);
  const year = portal.now.getUTCFullYear();
  const { items } = (
    await step('payments of a year', () => get(`/user/payments?year=${year}`))
  ).json<Payments>();
  await step('payments at a location', () => get(`/user/payments?year=${year}&locationId=${own.locationId}`));
  const payment = await step('a payment', () => get(`/user/payments/${items[0]?.paymentId}`));
  const receipt = new URL(payment.json<ListedPayment>().receiptLink ?? '');
  await step('a receipt', () =>
    openReceipt(portal.deps, {
      file: receipt.pathname.split('/').at(-1) ?? '',
      query: Object.fromEntries(receipt.searchParams),
    }),
  );
  const statement = await step('a statement', () => get(`/user/statements?year=${year}`));
  const file = new URL(statement.json<Statement>().csvLink);
  await step('a statement as a file', () => portal.app.inject(file.pathname + file.search));
  await step('remove a card', () =>
    call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${paymentMethodId}`, { token }),
  );
}

/** From a guest's payment to an account, by a signed-in person and by a new one. */
async function takeAlong(
  portal: TestApp,
  step: Step,
  { emulator, token }: { emulator: TestEmulator; token: string },
): Promise<void> {
  const pay = async () =>
    (await payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query)))).json()
      .offer;
  const [first, second]: [string, string] = [await pay(), await pay()];
  await step('look at an offer', () => giveOffer(portal, first));
  await step('use an offer', () => useOfferOf(portal, first, { token }));
  await step('use an offer again', () => useOfferOf(portal, first, { token }));
  const person = freshPayer();
  await step('make an account with an offer', () => registerByOffer(portal, second, person));
  const confirmation = { email: person.email, token: (await newestLink(portal, person.email)).token };
  await call(portal, 'POST', '/user/confirm', { body: confirmation });
  const login = { email: person.email, password: person.password };
  await step('sign in for the first time', () =>
    call(portal, 'POST', '/authentication/login', { body: login }),
  );
}
