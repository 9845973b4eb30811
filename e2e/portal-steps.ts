import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { GOOD_CARD, importInvoice } from './guest-payment-steps.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { makeAccount, type Person, signIn } from './support/people.ts';
import { systemUnderTest } from './support/system.ts';

/** A person with an account, and a token for the portal's calls. */
export type Customer = Person & { token: string };

/** Makes a customer with these invoices' locations and these cards. */
export async function makeCustomer(
  request: APIRequestContext,
  { invoices = [], cards = [] }: { invoices?: InvoiceRow[]; cards?: string[] } = {},
): Promise<Customer> {
  const person = await makeAccount(request);
  const customer = { ...person, token: await fetchToken(request, person) };
  const places = new Map(invoices.map((row) => [`${row.franchiseId} ${row.locationId}`, row]));
  for (const row of places.values()) await linkLocation(request, customer, row);
  for (const card of cards) await saveCard(request, customer, card);
  return customer;
}

/** Like `makeCustomer`, and signs them in on the page, at the invoices. */
export async function openDashboard(
  page: Page,
  request: APIRequestContext,
  given: { invoices?: InvoiceRow[]; cards?: string[] } = {},
): Promise<Customer> {
  const customer = await makeCustomer(request, given);
  await signIn(page, customer);
  return customer;
}

/** Invoices with numbers that no other test uses, one per row. */
export async function importInvoices(office: Office, ...rows: Partial<InvoiceRow>[]): Promise<InvoiceRow[]> {
  const invoices: InvoiceRow[] = [];
  for (const row of rows) invoices.push(await importInvoice(office, row));
  return invoices;
}

export async function linkLocation(
  request: APIRequestContext,
  customer: Customer,
  { franchiseId, workOrderNumber, zipCode }: InvoiceRow,
): Promise<void> {
  await callAs(request, customer, 'POST', '/user/location', { franchiseId, workOrderNumber, zipCode });
}

/** Pays an invoice as a guest by calls, since the page has journeys of its own. A decline is an answer too. */
export async function payByCall(
  request: APIRequestContext,
  { franchiseId, workOrderNumber, zipCode }: InvoiceRow,
  {
    card = GOOD_CARD,
    merchant = 'portal',
    ...additions
  }: Record<string, unknown> & { card?: string; merchant?: string } = {},
): Promise<void> {
  const { apiSecret } = systemUnderTest();
  const answer = await request.post('/api/usaepay/guestsale', {
    headers: { 'x-apisecret': apiSecret },
    data: {
      ...{ franchiseId, workOrderNumber, zipCode, ...additions },
      ...{ firstName: 'Zoë', lastName: "O'Brien", address: '12 Juniper Lane', city: 'Austin', state: 'TX' },
      ...{
        postalCode: '78701',
        paymentKey: await mintPaymentKey(request, card, merchant),
        legalAccepted: true,
      },
    },
  });
  if (answer.status() >= 500) throw new Error(await answer.text());
}

/** Tokenizes a card as the provider's field does, on the portal's account or another. */
async function mintPaymentKey(
  request: APIRequestContext,
  number: string,
  merchant = 'portal',
): Promise<string> {
  const { emulatorUrl } = systemUnderTest();
  const { publicKey } = await merchantOf(merchant);
  const minted = await request.post(`${emulatorUrl}/api/v2/pub/payment_keys`, {
    headers: { authorization: `Basic ${btoa(`${publicKey}:s2//`)}` },
    data: { creditcard: { number, expiration: '1235', cvc: '123' } },
  });
  return ((await minted.json()) as { key: string }).key;
}

/** Saves a card by calls, since the form has a journey of its own. */
export async function saveCard(
  request: APIRequestContext,
  customer: Customer,
  number: string = GOOD_CARD,
): Promise<void> {
  await callAs(request, customer, 'POST', '/usaepay/portal/paymentmethods', {
    paymentKey: await mintPaymentKey(request, number),
    maskedCard: `xxxxxxxxxxxx${number.slice(-4)}`,
    street: '12 Juniper Lane',
    postalCode: '78701',
  });
}

/** Gives the office its own merchant account. */
export async function giveMerchantAccount(office: Office, merchant: string): Promise<void> {
  const { apiKey, pin, publicKey } = await merchantOf(merchant);
  await office.send('PUT', `/office/franchises/${office.franchiseId}`, {
    gateway: { apiKey, pin, publicKey },
  });
}

/** Makes one of the portal's protected calls, as its screens do. */
export async function callAs(
  request: APIRequestContext,
  { token }: Customer,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  data?: unknown,
): Promise<unknown> {
  const { apiSecret } = systemUnderTest();
  const answer = await request.fetch(`/api${path}`, {
    method,
    headers: { 'x-apisecret': apiSecret, authorization: `Bearer ${token}` },
    ...(data !== undefined && { data }),
  });
  const text = await answer.text();
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** An invoice's row or card. */
export function workOrder(page: Page, { workOrderNumber }: InvoiceRow): Locator {
  return page.getByRole('group', { name: `Work order ${workOrderNumber}`, exact: true });
}

export async function choose(page: Page, ...invoices: InvoiceRow[]): Promise<void> {
  for (const { workOrderNumber } of invoices) {
    await page.getByLabel(`Select work order ${workOrderNumber}`).check();
  }
}

export function payButton(page: Page, amount?: string): Locator {
  return amount === undefined
    ? page.getByRole('button', { name: /^Pay \$/ })
    : page.getByRole('button', { name: `Pay ${amount}`, exact: true });
}

async function fetchToken(
  request: APIRequestContext,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<string> {
  const answer = await request.post('/api/authentication/login', {
    headers: { 'x-apisecret': systemUnderTest().apiSecret },
    data: { email, password },
  });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

async function merchantOf(name: string): Promise<{ apiKey: string; pin: string; publicKey: string }> {
  const answer = await fetch(`${systemUnderTest().emulatorUrl}/_emulator/merchants`);
  const merchants = (await answer.json()) as {
    name: string;
    apiKey: string;
    pin: string;
    publicKey: string;
  }[];
  const merchant = merchants.find((each) => each.name === name);
  if (!merchant) throw new Error(`the emulator has no merchant ${name}`);
  return merchant;
}

/** Holds the page's next call of this method and address, before it leaves the browser, until `goOn`. */
export async function holdCall(
  page: Page,
  url: string,
  method: string,
): Promise<{ asked: Promise<void>; goOn: () => void }> {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { asked: asked.promise, goOn: held.resolve };
}

/** Lets the page's next call of this address through, and loses its answer. */
export async function loseAnswer(page: Page, url: string): Promise<void> {
  await page.route(
    url,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Changes fields of the next request that is posted to this address. */
export async function changeOnce(page: Page, url: string, fields: Record<string, unknown>): Promise<void> {
  await page.route(
    url,
    (route) => route.continue({ postData: { ...route.request().postDataJSON(), ...fields } }),
    { times: 1 },
  );
}
