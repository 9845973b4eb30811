import { randomUUID } from 'node:crypto';
import { demoInvoices } from '../../../demo/demo-invoices.ts';
import { type DemoPortal, makeDemoAccount } from './demo-account.ts';
import { mintPaymentKey } from './mint-payment-key.ts';
import { sendForDemo } from './send-for-demo.ts';

type Line = {
  franchiseId: number;
  workOrderNumber: number;
  zipCode: string;
  tipAmount?: number;
  additionalServiceAmount?: number;
  additionalServicesNote?: string;
};

const VISA = '4000100011112224';
const MASTERCARD = '5555444433332226';
const DECLINED = '4000300611112224';

const PAID_TWICE = 1008;

/** Guests' payments, each of interest to an office: a tip, a decline, a credit with a note, another merchant account. */
const GUESTS: { firstName: string; lastName: string; card: string; merchant: string; line: Line }[] = [
  {
    ...{ firstName: 'Zoë', lastName: 'Kowalczyk', card: VISA, merchant: 'portal' },
    line: { franchiseId: 11, workOrderNumber: PAID_TWICE, zipCode: '60402', tipAmount: 24.6 },
  },
  {
    ...{ firstName: 'José', lastName: 'Núñez', card: DECLINED, merchant: 'portal' },
    line: { franchiseId: 11, workOrderNumber: 1010, zipCode: '60304-1187' },
  },
  {
    ...{ firstName: 'Iris', lastName: 'Bergman', card: VISA, merchant: 'portal' },
    line: {
      ...{ franchiseId: 11, workOrderNumber: 1014, zipCode: '60302' },
      additionalServiceAmount: -10,
      additionalServicesNote: 'One storm window was left out.',
    },
  },
  {
    ...{ firstName: 'Siobhán', lastName: 'Ó Briain', card: MASTERCARD, merchant: 'west' },
    line: { franchiseId: 12, workOrderNumber: 2007, zipCode: '90291', tipAmount: 15.18 },
  },
];

/** Paid by the demo's customer, who has complained since. */
const GIVEN_BACK = 1012;

const SEVERAL = [
  { franchiseId: 11, workOrderNumber: 1013 },
  { franchiseId: 13, workOrderNumber: 3009 },
];

const IRIS = {
  ...{ email: 'iris@example.com', firstName: 'Iris', lastName: 'Bergman' },
  password: 'panes from porch to attic',
};

const AT_HOME = { address: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };

type Told = DemoPortal & { emulatorUrl: string; today: string };

/** A day at the offices, besides the demo customer's payments, so that the console has something to show at once. */
export async function tellDemoDay(told: Told): Promise<void> {
  for (const guest of GUESTS) await payAsGuest(told, guest);
  await paySeveral(told);
  await payTwice(told);
  await giveBack(told);
}

async function payAsGuest(
  { portalUrl, apiSecret, emulatorUrl }: Told,
  { card, merchant, line, ...name }: (typeof GUESTS)[number],
): Promise<void> {
  const paid = sendForDemo<unknown>(
    `${portalUrl}/api/usaepay/guestsale`,
    { 'x-apisecret': apiSecret },
    {
      ...{ ...line, ...name, ...AT_HOME },
      email: `${name.firstName.normalize('NFD').replace(/\W/g, '').toLowerCase()}@example.com`,
      paymentKey: await mintPaymentKey(emulatorUrl, { merchant, number: card }),
      legalAccepted: true,
    },
  );
  // The decline belongs to the story.
  await (card === DECLINED ? paid.catch(() => undefined) : paid);
}

/** A person with an account pays two offices at once, in one charge. */
async function paySeveral(told: Told): Promise<void> {
  const { portalUrl, apiSecret, emulatorUrl } = told;
  await makeDemoAccount(told, { ...IRIS, franchiseId: 11, customerNumber: 504 });
  const secret = { 'x-apisecret': apiSecret };
  const { email, password } = IRIS;
  const { accessToken } = await sendForDemo<{ accessToken: string }>(
    `${portalUrl}/api/authentication/login`,
    secret,
    { email, password },
  );
  const asIris = <Answer = undefined>(path: string, body?: unknown) =>
    sendForDemo<Answer>(
      `${portalUrl}/api${path}`,
      { ...secret, authorization: `Bearer ${accessToken}` },
      body,
    );
  await asIris('/user/location', { ...SEVERAL[1], zipCode: '02125' });
  await asIris('/usaepay/portal/paymentmethods', {
    paymentKey: await mintPaymentKey(emulatorUrl, { merchant: 'portal', number: VISA }),
    maskedCard: `${VISA.slice(0, 4)}xxxxxxxx${VISA.slice(-4)}`,
    street: AT_HOME.address,
    postalCode: AT_HOME.postalCode,
  });
  const [card] = await asIris<{ id: string }[]>('/usaepay/portal/paymentmethods');
  await asIris('/usaepay/customerportalsale', {
    paymentMethodId: card?.id,
    legalAccepted: true,
    workOrders: SEVERAL,
  });
}

/** The office's next import says that an invoice paid by card was also paid by check. */
async function payTwice({ portalUrl, officeApiKey, today }: Told): Promise<void> {
  const [head, ...rows] = (await demoInvoices({ today })).trim().split('\n');
  const row = rows.find((each) => each.includes(`,${PAID_TWICE},`));
  const answer = await fetch(`${portalUrl}/api/office/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': 'text/csv' },
    body: `${head}\n${row?.replace(/,0\.00$/, ',164.00')}\n`,
  });
  if (!answer.ok) throw new Error(`The demo's second file was refused:\n${await answer.text()}`);
}

/** What the demo's customer has paid for one work order goes back, and nothing of it falls due again. */
async function giveBack({ portalUrl, officeApiKey }: Told): Promise<void> {
  const payments = `${portalUrl}/api/office/payments`;
  const office = { authorization: `Bearer ${officeApiKey}` };
  const search = new URLSearchParams({ franchiseId: '11', search: `#${GIVEN_BACK}` });
  const { items } = await sendForDemo<{ items: { paymentId: string }[] }>(`${payments}?${search}`, office);
  await sendForDemo(
    `${payments}/${items[0]?.paymentId}/refunds`,
    { ...office, 'idempotency-key': randomUUID() },
    {
      reason: 'work-not-done',
      note: 'The frame of the awning was left out, and the awning with it.',
      lines: [{ franchiseId: 11, workOrderNumber: GIVEN_BACK, effect: 'credited' }],
    },
  );
}
