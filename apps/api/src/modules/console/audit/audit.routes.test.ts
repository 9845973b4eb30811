import { randomUUID } from 'node:crypto';
import type { AuditItem } from '@brightpane/contract/office/audit';
import { whoWords } from '@brightpane/contract/office/words/actor-words';
import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { moveTo } from '../../../../test/factories/email-changes.ts';
import { makeOfficeCaller } from '../../../../test/factories/office-keys.ts';
import { linkCustomer, signInUser } from '../../../../test/factories/users.ts';
import { callOffice, importRows, officeRow } from '../../../../test/office/office.ts';
import {
  callConfirmed,
  callConsole,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
} from '../../../../test/office/office-people.ts';
import { PORTAL } from '../../../db/audit.queries.ts';
import { emptyAccount } from '../../account/close/close.queries.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';
import { switchUser } from '../../office/switch-user.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const OWN = 9001;
const OTHER = 9002;
let owner: string;

beforeAll(async () => {
  await importRows(
    portal,
    [OWN, OTHER].map((id) => officeRow({ franchiseId: String(id) })),
  );
  for (const id of [OWN, OTHER]) {
    await callOffice(portal, 'PUT', `/franchises/${id}`, { body: { phone: '312-555-0100' } });
  }
  owner = await signInStaff(portal, await makeStaff(portal, { role: 'owner', franchiseIds: [OWN] }));
});

const list = async (
  query = '',
  cookie?: string,
): Promise<{ items: AuditItem[]; next: string | null; searchedTo?: string }> => {
  const answer = cookie
    ? await callConsole(portal, 'GET', `/audit${query}`, { cookie })
    : await callOffice(portal, 'GET', `/audit${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

const write = (given: {
  actor?: string;
  action?: string;
  subject?: string;
  at?: string;
  franchiseId?: number | null;
}) =>
  portal.deps.db.query.execute(sql`
    INSERT INTO audit_event (actor, action, subject, franchise_id, at)
    VALUES (${given.actor ?? 'robin@example.com'}, ${given.action ?? 'test'}, ${given.subject ?? 'test'},
            ${given.franchiseId === undefined ? OWN : given.franchiseId}, ${given.at ?? new Date().toISOString()}::timestamptz)`);

describe('the audit', () => {
  test('shows who did what to what, with the values before and after', async () => {
    const { items } = await list(`?franchiseId=${OWN}&what=change-franchise`);
    expect(items).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        timeZone: 'America/Chicago',
        who: { kind: 'key', name: 'environment' },
        action: 'change-franchise',
        subject: `franchise ${OWN}`,
        href: `/settings/franchise?franchiseId=${OWN}`,
        franchiseId: OWN,
        before: { phone: null },
        after: { phone: '312-555-0100' },
        reason: null,
        detail: null,
        requestId: expect.any(String),
      },
    ]);
  });

  test('shows an office its own acts, and neither others’ nor those without a franchise', async () => {
    await write({ franchiseId: null, subject: 'books', actor: 'portal' });
    const seen = (await list('', owner)).items;
    expect(new Set(seen.map(({ franchiseId }) => franchiseId))).toEqual(new Set([OWN]));
    expect((await list(`?franchiseId=${OTHER}`, owner)).items).toEqual([]);
    const all = (await list()).items;
    expect(new Set(all.map(({ franchiseId }) => franchiseId))).toEqual(new Set([OWN, OTHER, null]));
  });

  test('shows an act on several offices to whoever sees all of them', async () => {
    const third = OTHER + 1;
    await importRows(portal, [officeRow({ franchiseId: String(third) })]);
    const both = { franchiseIds: [OWN, OTHER] };
    const clerk = await makeSignedIn(portal, { role: 'clerk', ...both });
    expect((await callConfirmed(portal, clerk, 'GET', '/payments.csv')).statusCode).toBe(200);
    const exports = async (query: string, cookie?: string) =>
      (await list(query, cookie)).items.filter(({ action }) => action === 'export-payments');
    const [act] = await exports('');
    expect(act).toMatchObject({ who: { name: clerk.person.email }, franchiseId: null });
    const sees = [await makeSignedIn(portal, { role: 'owner', ...both }), undefined];
    for (const who of sees) {
      for (const query of ['', `?franchiseId=${OWN}`, `?franchiseId=${OTHER}`]) {
        expect(await exports(query, who?.cookie), query).toEqual([act]);
      }
      expect(await exports(`?franchiseId=${third}`, who?.cookie)).toEqual([]);
    }
    const one = await makeSignedIn(portal, { role: 'owner', franchiseIds: [OWN, third] });
    for (const query of ['', `?franchiseId=${OWN}`, `?franchiseId=${OTHER}`]) {
      expect(await exports(query, one.cookie), query).toEqual([]);
    }
  });

  test('is searched by subject and email, and filtered by who, what and day', async () => {
    const subject = `payment ${randomUUID()}`;
    // 23:30 on the 1st in Chicago is the 2nd in UTC.
    await write({ subject, actor: 'zoe_1@example.com', action: 'note payment', at: '2026-10-02T04:30:00Z' });
    const found = async (query: string) => (await list(query)).items.map((item) => item.subject);
    for (const query of [
      `?search=${encodeURIComponent(subject.slice(8, 20))}`,
      '?search=zoe_1',
      '?what=note+pay&who=ZOE_1',
      '?from=2026-10-01&to=2026-10-01',
    ]) {
      expect(await found(query), query).toEqual([subject]);
    }
    for (const query of ['?search=zoe%251', '?what=note+pay&who=olive', '?from=2026-10-02&to=2026-10-02']) {
      expect(await found(query), query).toEqual([]);
    }
  });

  test('is filtered by the words that its list shows', async () => {
    const [asked, exported, nightly] = ['asked', 'exported', 'nightly'].map(
      (word) => `${word} ${randomUUID()}`,
    );
    await write({ action: 'refund: rule-out', subject: asked ?? '' });
    await write({ action: 'export-statement', subject: exported ?? '', actor: 'portal' });
    await write({ action: 'note', subject: nightly ?? '', actor: 'key:Nightly import' });
    const found = async (query: string) => (await list(query)).items.map((item) => item.subject);
    expect(await found('?what=Refund+not+made')).toEqual([asked]);
    expect(await found('?what=statement')).toEqual([exported]);
    expect(await found('?who=the+portal&what=Export+statement')).toEqual([exported]);
    expect(await found('?who=Key+nightly')).toEqual([nightly]);
  });

  test.each(['portal', 'office', 'key:Nightly import', 'robin@example.com'])(
    'is filtered by the very words that it shows for %s',
    async (actor) => {
      const action = randomUUID();
      await write({ action, actor });
      const [shown] = (await list(`?what=${action}`)).items;
      const words = shown && whoWords(shown.who);
      const { items } = await list(`?what=${action}&who=${encodeURIComponent(words ?? '')}`);
      expect(items).toEqual([shown]);
    },
  );

  test('tells apart the keys of one name, and from the key of the settings', async () => {
    const keys = ['Nightly import', 'Nightly import', 'environment'].map((name, index) => ({
      name,
      publicId: `Same000${index}`,
    }));
    for (const { name, publicId } of keys) {
      await portal.deps.db.query.execute(sql`
        WITH key AS (
          INSERT INTO office_api_key (public_id, name, key_hash, rights)
          VALUES (${publicId}, ${name}, ${Buffer.from(publicId)}, '{}') RETURNING id)
        INSERT INTO audit_event (actor, actor_id, action, subject, franchise_id)
        SELECT ${`key:${name}`}, id, 'same name', ${publicId}, ${OWN} FROM key`);
    }
    const told = async (query: string) => (await list(query)).items.map(({ who }) => who.name);
    expect(await told('?what=same+name')).toEqual([
      'environment (Same0002)',
      'Nightly import (Same0001)',
      'Nightly import (Same0000)',
    ]);
    expect(await told('?who=Key+nightly+import+(Same0001)')).toEqual(['Nightly import (Same0001)']);
  });

  test('tells whom an act was about, as they were then, until their account is closed', async () => {
    const { query } = portal.deps.db;
    const user = await signInUser(portal);
    const { rows } = await query.execute<{ id: number; number: number }>(sql`
      SELECT id, number FROM customer WHERE franchise_id = ${OWN} LIMIT 1`);
    const [{ id: customerId, number: customerNumber } = { id: 0, number: 0 }] = rows;
    await linkCustomer(portal, { ...user, customerId });
    const customer = `/customers/${OWN}/${customerNumber}`;
    const invited = { franchiseId: OWN, customerNumber, email: `invited-${user.email}` };
    expect((await callOffice(portal, 'POST', '/invitations', { body: invited })).statusCode).toBe(201);
    const mailed = await callOffice(portal, 'POST', `${customer}/people/${user.userId}/mails`, {
      body: { kind: 'reset' },
    });
    expect(mailed.statusCode, mailed.body).toBe(202);
    const ended = await callOffice(portal, 'DELETE', `${customer}/people/${user.userId}`);
    expect(ended.statusCode, ended.body).toBe(204);
    const told = async (...acts: string[]) => {
      const found = await Promise.all(acts.map((what) => list(`?what=${what}`)));
      return found.map(({ items }) => items[0]?.detail ?? null);
    };
    const then = { person: user.email };
    const ACTS = ['end-access', 'mail-reset', 'invite'];
    expect(await told(...ACTS)).toEqual([then, then, { person: invited.email }]);
    const seen = (await list('?what=end-access', owner)).items;
    expect(seen.map(({ detail }) => detail)).toEqual([then]);
    const file = await callOffice(portal, 'GET', '/audit.csv?what=end-access');
    expect(parse(file.body, { bom: true, columns: true })).toMatchObject([{ detail: JSON.stringify(then) }]);

    // A later address is not the office's to know.
    const later = `later-${user.email}`;
    await moveTo(portal, user, later);
    expect(await told(...ACTS)).toEqual([then, then, { person: invited.email }]);
    await switchUser(portal.deps, { email: later, active: false, by: PORTAL });
    expect(await told('switch-user-off')).toEqual([{ person: later }]);

    const { rows: kept } = await query.execute(sql`
      SELECT FROM audit_event WHERE position(${user.email} in audit_event::text) > 0`);
    expect(kept).toEqual([]);
    await emptyAccount(query, { userId: user.userId, passwordHash: NOBODYS_HASH });
    expect(await told(...ACTS, 'switch-user-off')).toEqual([null, null, { person: invited.email }, null]);
  });

  test('tells which member of staff an act was about, but not whom people’s own acts were', async () => {
    const person = await makeStaff(portal, { role: 'clerk', franchiseIds: [OWN] });
    await write({
      action: 'reset-somebody',
      subject: `staff ${person.staffId}`,
      actor: 'key:Nightly import',
    });
    await write({ action: 'sign-out-oneself', subject: `staff ${person.staffId}`, actor: person.email });
    const told = async (what: string) => (await list(`?what=${what}`)).items.map(({ detail }) => detail);
    expect(await told('reset-somebody')).toEqual([{ person: person.email }]);
    expect(await told('sign-out-oneself')).toEqual([null]);
  });

  test('tells how many rows an export had, and its filters', async () => {
    const call = await makeOfficeCaller(portal, { franchiseId: OTHER });
    expect((await call('GET', '/invoices.csv?status=paid')).statusCode).toBe(200);
    const [act] = (await list('?what=export-invoices')).items;
    expect(act?.detail).toEqual({ rows: 0, filters: { status: 'paid' } });
  });

  test('has pages of fifty', async () => {
    for (let count = 0; count < 51; count++) await write({ action: 'many', subject: `${count}` });
    const first = await list('?what=many');
    const second = await list(`?what=many&cursor=${first.next}`);
    const subjects = [...first.items, ...second.items].map(({ subject }) => subject);
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 1, null]);
    expect(new Set(subjects).size).toBe(51);
    const answer = await callOffice(portal, 'GET', `/audit?what=few&cursor=${first.next}`);
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'CursorUnknown']);
  });

  test('looks at five thousand acts at a time', async () => {
    await write({ action: 'long ago', at: '2026-01-05T12:00:00Z' });
    await portal.deps.db.query.execute(sql`
      INSERT INTO audit_event (actor, action, subject, franchise_id, at)
      SELECT 'robin@example.com', 'noise', 'noise', ${OWN}, timestamptz '2026-02-01T12:00:00Z' + n * interval '1 second'
        FROM generate_series(1, 5000) AS n`);
    const first = await list('?what=long');
    expect(first.items).toEqual([]);
    expect(first.searchedTo).toBe('2026-02-01');
    const second = await list(`?what=long&cursor=${first.next}`);
    expect(second.items).toHaveLength(1);
    expect(second.searchedTo).toBeUndefined();
  });

  test('goes on behind the last act it looked at, even if that one matches', async () => {
    await portal.deps.db.query.execute(sql`
      INSERT INTO audit_event (actor, action, subject, franchise_id, at)
      SELECT 'robin@example.com', CASE WHEN n <= 2 THEN 'edge' ELSE 'noise' END, n::text, ${OTHER},
             timestamptz '2026-03-01T12:00:00Z' + n * interval '1 second'
        FROM generate_series(1, 5001) AS n`);
    const query = `?franchiseId=${OTHER}&what=edge&to=2026-03-31`;
    const first = await list(query);
    const second = await list(`${query}&cursor=${first.next}`);
    const pages = [first, second].map(({ items }) => items.map(({ subject }) => subject));
    expect([...pages, second.next]).toEqual([['2'], ['1'], null]);
  });

  test('shows an office what was imported or exported for it alone', async () => {
    const seen = async () => (await list('?what=import', owner)).items.length;
    const before = await seen();
    await importRows(portal, [officeRow({ franchiseId: String(OWN) })]);
    expect(await seen()).toBe(before + 1);
    await importRows(
      portal,
      [OWN, OTHER].map((id) => officeRow({ franchiseId: String(id) })),
    );
    expect(await seen()).toBe(before + 1);
    const call = await makeOfficeCaller(portal, { franchiseId: OWN });
    expect((await call('GET', '/payments.csv')).statusCode).toBe(200);
    expect((await list('?what=export-payments', owner)).items).toHaveLength(1);
  });

  test.each([
    ['?from=yesterday', 'from', 'Please enter a date such as 2026-11-30.'],
    ['?from=2026-11-02&to=2026-11-01', 'from', 'From must not be after To.'],
    [`?who=${'x'.repeat(101)}`, 'who', 'Use at most 100 characters.'],
  ])('refuses %s under its field', async (query, field, description) => {
    const answer = await callOffice(portal, 'GET', `/audit${query}`);
    expect([answer.statusCode, answer.json().errors[0]]).toEqual([
      400,
      { code: 'Invalid', field, description },
    ]);
  });

  test('is exported with everything that matches, and the export is itself an act', async () => {
    const exports = async () => (await list('?what=export-audit')).items.length;
    const before = await exports();
    await write({ action: 'exported', subject: '=1+1' });
    await write({ action: 'exported', subject: 'two' });
    const answer = await callOffice(portal, 'GET', '/audit.csv?what=exported');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="audit-all-America-Chicago.csv"',
    );
    const [head, ...lines] = answer.body.split('\r\n').filter((line) => line !== '');
    expect(head).toBe('\ufefftime,day,zone,franchise,who,what,subject,before,after,reason,request id,detail');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`,America/Chicago,${OWN},robin@example.com,exported,two,`);
    expect(lines[1]).toContain(`,exported,'=1+1,`);
    expect(await exports()).toBe(before + 1);
    const refused = await callConsole(portal, 'GET', '/audit.csv', { cookie: owner });
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'StepUpRequired']);
  });
});
