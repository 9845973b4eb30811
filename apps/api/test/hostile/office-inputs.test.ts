import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { OFFICE_ORIGIN, OFFICE_SETTINGS } from '../office/office-people.ts';
import { type Caller, callerFor, makeCallers } from '../office-matrix/callers.ts';
import { INPUTS, type Name, type Things } from '../office-matrix/inputs.ts';
import { judgeAnswer } from './judge-answer.ts';
import { MARK } from './spoil.ts';

const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });

let headersOf: (caller: Caller) => Promise<Record<string, string>>;
let franchiseId: number;
beforeAll(async () => {
  ({ franchiseId } = await makeInvoice(portal.deps.db.query));
  headersOf = await makeCallers(portal, { franchiseId });
});

const IDS: Record<string, string> = { email: 'nobody@example.com', orderId: 'abc-123', decision: 'close' };
const NOBODYS_ID = '00000000-0000-4000-8000-00000000abcd';
const THINGS: Things = {
  franchiseId: 0,
  workOrderNumber: 1001,
  customerNumber: 1001,
  staffId: 'none',
  paymentId: NOBODYS_ID,
  chargeId: NOBODYS_ID,
  refundId: NOBODYS_ID,
  importId: NOBODYS_ID,
  invitationId: NOBODYS_ID,
  userId: NOBODYS_ID,
};

type Spoilt = { what: string; body?: unknown; query?: string; params?: string };

/** Values that no field accepts, and values that many would. */
const VALUES: [string, unknown][] = [
  ['nothing', null],
  ['a number', -1.5],
  ['a list', [[]]],
  ['an object', { toString: MARK }],
  ['NUL', `a\u0000${MARK}`],
  ['half a character', `\ud800${MARK}`],
  ['SQL', `' OR 1=1; --${MARK}`],
  ['HTML', `<script>${MARK}</script>`],
  ['much', MARK.repeat(1_000)],
];

function spoiltOf(name: Name, good: unknown): Spoilt[] {
  const fields = Object.keys((good ?? {}) as object);
  const known = (good ?? {}) as Record<string, unknown>;
  return [
    { what: 'an unknown parameter', query: `unknown=${MARK}`, body: good },
    { what: 'a parameter twice', query: `franchiseId=1&franchiseId=${MARK}`, body: good },
    { what: 'an unknown field', body: { ...known, [`x${MARK}`]: 1 } },
    { what: 'a body of another kind', body: [MARK] },
    { what: 'no JSON', body: `{${MARK}` },
    { what: 'a path of another kind', params: `${MARK}'%00`, body: good },
    ...fields.flatMap((field) => [
      ...VALUES.map(([what, value]) => ({ what: `${field}: ${what}`, body: { ...known, [field]: value } })),
      { what: `${field}: left out`, body: { ...known, [field]: undefined } },
    ]),
    ...(name === 'payments' ? [{ what: 'a cursor', query: `cursor=${MARK}` }] : []),
  ];
}

async function send(endpoint: OfficeEndpoint, { body, query, params }: Spoilt, things: Things) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, each: string) =>
    encodeURIComponent(params ?? String({ ...IDS, ...things }[each] ?? NOBODYS_ID)),
  );
  return portal.app.inject({
    method: endpoint.method,
    url: `/api${path}${query ? `?${query}` : ''}`,
    headers: {
      host: new URL(OFFICE_ORIGIN).host,
      origin: OFFICE_ORIGIN,
      'x-office': '1',
      ...(await headersOf(callerFor(endpoint))),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

// `restored` would close payments; `import` and its check parse their own bodies.
const TRIED = (Object.keys(OFFICE_ENDPOINTS) as Name[]).filter(
  (name) => !['restored', 'import', 'checkImport', 'reconcile'].includes(name),
);

test.each(TRIED)('%s tells nothing and breaks nothing, whatever it is sent', async (name) => {
  const endpoint: OfficeEndpoint = OFFICE_ENDPOINTS[name];
  const things = { ...THINGS, franchiseId };
  const good = INPUTS[name].body?.(things);
  const faults: string[] = [];
  for (const spoilt of spoiltOf(name, good)) {
    const answer = await send(endpoint, spoilt, things);
    const own = judgeAnswer(answer);
    if (answer.statusCode >= 500) own.push(`${answer.statusCode}: ${answer.body}`);
    faults.push(...own.map((fault) => `${spoilt.what}: ${fault}`));
  }
  const unknown = await send(endpoint, { what: '', query: `unknown=${MARK}`, body: good }, things);
  if (![400, 401, 415].includes(unknown.statusCode))
    faults.push(`an unknown parameter: ${unknown.statusCode}`);
  expect(faults).toEqual([]);
});
