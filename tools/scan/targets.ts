import type { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type pg from 'pg';
import { BENCH_SECRETS } from '../../apps/api/bench/rig/bench-portal.ts';

/** A request whose values a scanner varies. */
export type Target = { name: string; request: string };

const PERSON = { email: 'zoe@example.com', firstName: 'Zoe', lastName: 'Miller' };
const PASSWORD = 'correct horse battery staple';
const INVOICE: Record<(typeof INVOICE_COLUMNS)[number], string> = {
  franchiseId: '7',
  franchiseName: 'Clear View',
  timeZone: 'America/Chicago',
  customerNumber: '1',
  customerName: 'Zoe Miller',
  customerEmail: PERSON.email,
  locationId: '1',
  description: 'Home',
  addressLine1: '12 Maple Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62704',
  workOrderNumber: '1001',
  service: 'Windows',
  completedDate: '2026-11-03',
  dueDate: '2026-11-30',
  amount: '108.25',
  salesTaxAmount: '8.25',
  salesTaxRate: '0.0825',
  tipsEnabled: 'true',
  paidElsewhere: '0.00',
};

/** Every page with the parameters it reads, and what the API serves to anybody with a URL. */
export async function addressesToScan(url: string): Promise<string[]> {
  const numbers = { franchiseId: 7, workOrderNumber: 1001, zipCode: '62704' };
  const found = await fetch(`${url}/api/user/invoice/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-apisecret': BENCH_SECRETS.apiSecret },
    body: JSON.stringify(numbers),
  });
  const { pdfLink, pngLink } = (await found.json()) as { pdfLink: string; pngLink: string };
  const link = 'e=zoe%40example.com&t=made-up';
  const paths = [
    '/guest-payment?franchiseNumber=7&workOrderNumber=1001&zipCode=62704',
    ...['/guest-payment/success', '/login', '/register', '/register/success'],
    '/forgot-password?email=zoe%40example.com',
    ...[`/resetpassword?${link}`, `/confirm?${link}`, `/invitation?${link}`],
    ...['/invoices', '/locations/add', '/locations/1', '/payment-methods', '/payment-methods/1'],
    ...['/payment-methods/add', '/nothing?q=1', '/api/docs', '/api/openapi.json', '/api/health/ready'],
    ...['/api/user', '/api/user/invoice', '/api/user/location/1/history', '/api/office/status'],
  ];
  return [pdfLink, pngLink, ...paths].map((path) => new URL(path, url).href);
}

/** Makes a person with an invoice, and lists calls that take input, of every kind and key. */
export async function prepareTargets(url: string, database: pg.Pool): Promise<Target[]> {
  const { host } = new URL(url);
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-apisecret': BENCH_SECRETS.apiSecret, ...headers },
      body: JSON.stringify(body),
    });
  const office = { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}` };
  // More than a page of each list, so that there is a next page.
  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...INVOICE,
    workOrderNumber: String(1001 + n),
    customerNumber: String(1 + n),
    locationId: String(1 + n),
  }));
  await send('/office/import', { rows }, office);
  await send('/user/register', { ...PERSON, password: PASSWORD });
  await database.query('UPDATE app_user SET email_confirmed_at = now()');
  const login = await send('/authentication/login', { email: PERSON.email, password: PASSWORD });
  const { accessToken } = (await login.json()) as { accessToken: string };

  const target = (name: string, first: string, { body, key = '' }: { body?: unknown; key?: string } = {}) => {
    const lines = [
      `${first} HTTP/1.1`,
      `Host: ${host}`,
      `X-APISecret: ${BENCH_SECRETS.apiSecret}`,
      ...(key ? [`Authorization: Bearer ${key}`] : []),
      ...(first.startsWith('GET') ? [] : ['Content-Type: application/json']),
    ];
    return { name, request: `${lines.join('\r\n')}\r\n\r\n${body ? JSON.stringify(body) : ''}` };
  };
  const numbers = { franchiseId: '7', workOrderNumber: '1001', zipCode: '62704' };
  const sale = {
    franchiseId: '7',
    workOrderNumber: '1001',
    paymentKey: 'x',
    firstName: 'Zoe',
    lastName: 'Miller',
    address: '12 Maple Street',
    city: 'Springfield',
    state: 'IL',
    postalCode: '62704',
    legalAccepted: true,
  };
  const list = async (name: string, what: string, filters: string) => {
    const path = `/api/office/${what}?${filters}`;
    const first = await fetch(`${url}${path}`, {
      headers: { 'x-apisecret': BENCH_SECRETS.apiSecret, ...office },
    });
    if (!first.ok) throw new Error(`${path} answered ${first.status}: ${await first.text()}`);
    const { next } = (await first.json()) as { next: string | null };
    const cursor = next === null ? '' : `&cursor=${encodeURIComponent(next)}`;
    return target(name, `GET ${path}${cursor}`, { key: BENCH_SECRETS.officeApiKey });
  };
  return [
    await list(
      'console-payments',
      'payments',
      'search=1001&franchiseId=7&minAmount=1.00&maxAmount=200.00&order=newest',
    ),
    await list('console-invoices', 'invoices', 'franchiseId=7'),
    await list('console-invoice-search', 'invoices', 'search=1001'),
    await list('console-customers', 'customers', 'franchiseId=7'),
    await list('console-customer-search', 'customers', 'search=zoe'),
    await list('console-refunds', 'refunds', 'search=1001&actor=z&franchiseId=7'),
    target('search', 'POST /api/user/invoice/search', { body: numbers }),
    target('login', 'POST /api/authentication/login', { body: { email: PERSON.email, password: 'x' } }),
    target('reset', 'POST /api/user/resetpassword?email=zoe%40example.com'),
    target('confirm', 'POST /api/user/confirm', { body: { email: PERSON.email, token: 'x' } }),
    target('add-location', 'POST /api/user/location', { body: numbers, key: accessToken }),
    target('history', 'GET /api/user/location/1*/history', { key: accessToken }),
    // Its payment key doesn't exist, so it is declined.
    target('sale', 'POST /api/usaepay/guestsale', { body: sale }),
    target('invite', 'POST /api/office/invitations', {
      body: { franchiseId: '7', customerNumber: '1', email: PERSON.email },
      key: BENCH_SECRETS.officeApiKey,
    }),
    target('switch-user', 'PUT /api/office/users/zoe%40example.com*', {
      body: { active: true },
      key: BENCH_SECRETS.officeApiKey,
    }),
  ];
}
