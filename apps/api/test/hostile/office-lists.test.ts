import { auditQuerySchema } from '@brightpane/contract/office/audit';
import { customerListQuerySchema, statementQuerySchema } from '@brightpane/contract/office/customers';
import { importsQuerySchema } from '@brightpane/contract/office/imports';
import { invoiceListQuerySchema } from '@brightpane/contract/office/invoices';
import { paymentFiltersSchema, paymentListQuerySchema } from '@brightpane/contract/office/payments';
import { refundListQuerySchema } from '@brightpane/contract/office/refunds';
import { differencesQuerySchema } from '@brightpane/contract/office/review';
import { beforeAll, expect, test } from 'vitest';
import { indexWords } from '../../src/modules/console/search/index-words.ts';
import { fingerprint } from '../books/fingerprint.ts';
import { useTestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { importRows, officeRow } from '../office/office.ts';
import { OFFICE_SETTINGS } from '../office/office-people.ts';
import { type Caller, makeCallers } from '../office-matrix/callers.ts';
import { INJECTIONS } from './injections.ts';
import { judgeAnswer } from './judge-answer.ts';

const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });

/** Only another office may read this. */
const HIDDEN = 'Quincy Hidden';
const OWN = officeRow({ customerName: 'Zoë O\'Brien 100% _ \\ "Glass"' });
const OTHERS = officeRow({ customerName: HIDDEN });

let headersOf: (caller: Caller) => Promise<Record<string, string>>;
beforeAll(async () => {
  await importRows(portal, [OWN, OTHERS]);
  await indexWords(portal.deps);
  for (const franchiseId of [OWN, OTHERS].map((row) => Number(row.franchiseId))) {
    const invoice = await makeInvoice(portal.deps.db.query, { franchiseId });
    await makePayment(portal.deps, { invoices: [invoice], payerEmail: `payer@${franchiseId}.example` });
  }
  headersOf = await makeCallers(portal, { franchiseId: Number(OWN.franchiseId) });
});

type Shape = { shape: Record<string, unknown> };
const customer = `/customers/${OWN.franchiseId}/${OWN.customerNumber}`;
const LISTS: [string, Shape, Record<string, string>][] = [
  ['/payments', paymentListQuerySchema, {}],
  ['/payments/summary', paymentFiltersSchema, {}],
  ['/invoices', invoiceListQuerySchema, {}],
  ['/customers', customerListQuerySchema, {}],
  ['/refunds', refundListQuerySchema, {}],
  ['/audit', auditQuerySchema, {}],
  ['/imports', importsQuerySchema, {}],
  ['/differences', differencesQuerySchema, {}],
  [`${customer}/statement`, statementQuerySchema, { from: '2026-11-01', to: '2026-11-30' }],
];

/** Typical attack strings, tried on every parameter. */
const VALUES = [
  ...INJECTIONS,
  '\\',
  '%',
  '_',
  '%%%',
  "''",
  '`',
  '$1',
  '$$',
  ';',
  '--',
  '/*',
  '") OR ("1"="1',
  '1 OR 1=1',
  "' AND 1=CAST((SELECT name FROM customer LIMIT 1) AS integer) AND '1'='1",
  "E'\\x27'",
  '\uff07 OR 1=1',
  '1,1',
  '1e400',
  'NaN',
  'infinity',
  '-infinity',
  '99999999999999999999',
  '2026-02-30',
  '0000-00-00',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '{"$ne":null}',
  '[1]',
  `\${jndi:ldap://x}`,
  '{{7*7}}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  'x'.repeat(10_000),
  '" "" "'.repeat(30),
  '(a|a)*'.repeat(20),
];

const encoded = (value: string) => encodeURIComponent(value.toWellFormed());
const isQuoted = (name: string) => name === 'search';

test.each(LISTS)(
  '%s takes nothing for more than it says, on each parameter',
  async (path, { shape }, given) => {
    const headers = await headersOf('key for one franchise');
    const everything = await headersOf('environment');
    const before = await fingerprint(portal, { but: ['limit_counter', 'office_api_key'] });
    const faults: string[] = [];
    let turn = 0;
    const names = Object.keys(shape);
    for (const name of [...names, 'unknown']) {
      for (const value of VALUES) {
        const query = Object.entries({ ...given, [name]: value }).map(
          ([key, each]) => `${key}=${encoded(each)}`,
        );
        // Headquarters use the same statements.
        for (const sent of turn++ % 8 === 0 ? [headers, everything] : [headers]) {
          const url = `/api/office${path}?${query.join('&')}`;
          const answer = await portal.app.inject({ method: 'GET', url, headers: sent });
          const what = `${name}=${value.slice(0, 40)}`;
          if (![200, 400, 403, 414].includes(answer.statusCode)) faults.push(`${what}: ${answer.statusCode}`);
          if (sent === headers && answer.body.includes(HIDDEN)) faults.push(`${what}: another office’s`);
          if (name === 'unknown' && answer.statusCode === 200) faults.push(`${what}: taken`);
          // The search's text is echoed in how it was read.
          if (isQuoted(name) && answer.statusCode === 200) continue;
          if (/audit|imports/.test(path) && answer.statusCode === 200) continue;
          faults.push(
            ...judgeAnswer(answer).map((fault) => `${what}: ${fault} ${answer.body.slice(0, 200)}`),
          );
        }
      }
    }
    expect(faults).toEqual([]);
    expect(await fingerprint(portal, { but: ['limit_counter', 'office_api_key'] })).toEqual(before);
  },
  60_000,
);

test('finds special characters in a name literally, never as wildcards', async () => {
  const headers = await headersOf('environment');
  const find = async (search: string) => {
    const url = `/api/office/customers?search=${encoded(search)}`;
    const answer = await portal.app.inject({ method: 'GET', url, headers });
    return answer.statusCode === 200
      ? answer.json<{ items: { name: string }[] }>().items.map(({ name }) => name)
      : answer.statusCode;
  };
  expect(await find("O'Brien")).toEqual([OWN.customerName]);
  expect(await find('hidden')).toEqual([HIDDEN]);
  for (const wild of ['qu%cy', 'h_dden', '%dden', "hidden' OR 'a'='a"]) {
    expect([wild, await find(wild)]).toEqual([wild, []]);
  }
});
