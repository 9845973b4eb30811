import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { Problem } from '@brightpane/contract/problem';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { CALL_NOTES } from '../../src/openapi/call-notes.ts';
import { TEST_SECRETS, useTestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { signInUser } from '../factories/users.ts';
import { OFFICE_ORIGIN, OFFICE_SETTINGS } from '../office/office-people.ts';
import { callerFor, makeCallers } from '../office-matrix/callers.ts';
import type { Schema } from './generate-bodies.ts';

/** Takes the place of every text that the validator would write itself, in any version of it. */
const VALIDATORS = 'zq-the-validators-own-words';

type Parameter = { name: string; in: string; schema: Schema };
type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Request = { url: string; payload?: string };

const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });

let operations: Record<string, Record<string, Operation>>;
let headersFor: (method: string, path: string) => Promise<Record<string, string>>;

beforeAll(async () => {
  z.config({ localeError: () => VALIDATORS });
  ({ paths: operations } = (await portal.app.inject('/api/openapi.json')).json());
  const { franchiseId } = await makeInvoice(portal.deps.db.query);
  const headersOf = await makeCallers(portal, { franchiseId });
  const { token } = await signInUser(portal);
  headersFor = async (method, path) => {
    const endpoint = OFFICE_CALLS.get(`${method} ${path}`);
    if (!endpoint) return { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${token}` };
    const { host } = new URL(OFFICE_ORIGIN);
    return { host, origin: OFFICE_ORIGIN, 'x-office': '1', ...(await headersOf(callerFor(endpoint))) };
  };
});
afterAll(() => {
  z.config(z.locales.en());
});

const OFFICE_CALLS = new Map(
  Object.values<OfficeEndpoint>(OFFICE_ENDPOINTS).map((each) => [
    `${each.method} ${each.path.replace(/:(\w+)/g, '{$1}')}`,
    each,
  ]),
);

const WRONG: unknown[] = [
  undefined,
  null,
  true,
  -1.5,
  // More than a whole number can be.
  1e20,
  '99999999999999999999',
  '',
  'x',
  'a\u0000',
  'x'.repeat(3_000),
  [],
  [null],
  [[]],
  {},
  { x: 1 },
];
const WRONG_IN_ADDRESSES = ['0', '-1', 'x', '99999999999999999999', '%00', 'x'.repeat(11_000)];

/** With it, no request below can do anything. */
const UNKNOWN = { neverKnown: 1 };

/** A value of this schema, in which each field so many levels down, or as far down as there are any, is wrong. */
function spoil(schema: Schema, value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  const of = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  const spoilt = (field: Schema) => spoil(field, value, depth - 1);
  if (!of.properties) return of.items ? [spoilt(of.items)] : value;
  return Object.fromEntries(Object.entries(of.properties).map(([name, field]) => [name, spoilt(field)]));
}

function wrongBodies(schema: Schema): string[] {
  const bodies = (schema.anyOf ?? [schema]).flatMap((option) =>
    WRONG.flatMap((value) =>
      [1, 2, 3, 4].map((depth) => ({ ...(spoil(option, value, depth) as object), ...UNKNOWN })),
    ),
  );
  return [...new Set([...bodies, [], [null], 1, 'x', null].map((body) => JSON.stringify(body)))];
}

/** Of what is named here, there is none. */
const ABSENT: Record<string, string> = {
  email: 'nobody@example.com',
  decision: 'close',
  franchiseId: '999999',
  customerNumber: '1',
  workOrderNumber: '1',
};
const ABSENT_ID = '00000000-0000-4000-8000-00000000abcd';

function wrongRequests(path: string, { parameters, requestBody }: Operation): Request[] {
  const { schema } = requestBody?.content['application/json'] ?? {};
  const body = schema && { payload: JSON.stringify(UNKNOWN) };
  const at = (name: string) => ABSENT[name] ?? ABSENT_ID;
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => at(name));
  const inPath = path.includes('{')
    ? WRONG_IN_ADDRESSES.map((value) => path.replace(/\{\w+\}/g, encodeURIComponent(value)))
    : [];
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => [
      ...['', ...WRONG_IN_ADDRESSES].map((value) => `${url}?${name}=${encodeURIComponent(value)}`),
      `${url}?${name}=1&${name}=2`,
    ]);
  return [
    ...(schema ? wrongBodies(schema).map((payload) => ({ url, payload })) : []),
    ...[...inPath, ...inQuery].map((each) => ({ url: each, ...body })),
  ];
}

async function send(name: string, requests: (path: string, operation: Operation) => Request[]) {
  const [method = '', path = ''] = name.split(' ');
  const operation = operations[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${name} is not described`);
  const headers = await headersFor(method, path);
  const answers: LightMyRequestResponse[] = [];
  for (const { url, payload } of requests(path, operation)) {
    answers.push(
      await portal.app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
        ...(payload && { payload }),
      }),
    );
  }
  return answers;
}

// Documents answer people with pages; a browser's reports are answered alike, whatever they are.
const NAMES = Object.keys(CALL_NOTES).filter((name) => !/documents|browser-reports/.test(name));

test.each(NAMES)('%s says in our words what is wrong, once for each field', async (name) => {
  await portal.deps.db.pool.query('DELETE FROM limit_counter');
  const faults = new Set<string>();
  for (const { body, statusCode, json } of await send(name, wrongRequests)) {
    if (body.includes(VALIDATORS)) faults.add(body.slice(0, 500));
    if (statusCode !== 400) continue;
    const fields = json<Problem>().errors.flatMap(({ field }) => field ?? []);
    if (new Set(fields).size < fields.length) faults.add(body.slice(0, 500));
  }
  expect([...faults]).toEqual([]);
});

const THREE_NUMBERS = { franchiseId: 11, workOrderNumber: 1001, zipCode: '60302' };
const SALE = { paymentMethodId: 'a', sendReceipt: true, legalAccepted: true, workOrders: [] };
const ACT = { method: 'POST', path: '/api/office/staff', body: '' };
test.each<[name: string, body: object | undefined, field: string, description: string]>([
  [
    'POST /user/invoice/search',
    { ...THREE_NUMBERS, workOrderNumber: 1e20 },
    'workOrderNumber',
    'Invalid work order number',
  ],
  ['DELETE /office/account/sessions/{sessionId}', undefined, 'sessionId', 'There is no such session.'],
  [
    'POST /usaepay/customerportalsale',
    { ...SALE, workOrders: [null] },
    'workOrders.0',
    'Please check this field.',
  ],
  ['POST /office/step-up/totp', { code: '000000', act: {} }, 'act.method', 'Say what this is for.'],
  [
    'POST /office/step-up/totp',
    { code: '000000', act: { ...ACT, path: '/elsewhere' } },
    'act.path',
    'Say what this is for.',
  ],
  ['POST /office/session/passkey', { credential: {} }, 'credential.id', 'This passkey cannot be read.'],
  ['PUT /office/franchises/{franchiseId}', { gateway: true }, 'gateway', 'Please check this field.'],
])('%s is told of %j', async (name, body, field, description) => {
  const [answer] = await send(name, (path) => [
    {
      url: path.replace(/\{(\w+)\}/g, (_, each: string) => ABSENT[each] ?? '0'),
      ...(body && { payload: JSON.stringify(body) }),
    },
  ]);
  expect(answer?.statusCode).toBe(400);
  const told = answer?.json<Problem>().errors.filter((each) => each.field === field);
  expect(told?.map((each) => each.description)).toEqual([description]);
});
