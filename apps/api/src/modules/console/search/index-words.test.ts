import { searchWords } from '@brightpane/contract/office/words/search-words';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { linkCustomer, linkLocation, makeUser } from '../../../../test/factories/users.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import { indexWords } from './index-words.ts';

const portal = useTestApp();

async function wordsOf(customerNumber: number | string): Promise<string[]> {
  const { rows } = await portal.deps.db.query.execute<{ word: string }>(sql`
    SELECT word FROM search_word s JOIN customer c ON c.id = s.customer_id
     WHERE c.number = ${Number(customerNumber)} AND s.franchise_id = c.franchise_id ORDER BY word`);
  return rows.map(({ word }) => word);
}

test.each([
  'Žoë O’Brien-Müller',
  'أحمد العلي',
  'राम शर्मा',
  'สุดา',
  'ΠΑΠΑΔΟΠΟΥΛΟΣ Νίκος',
  'ながの がく',
  'ナガノ・ジロウ',
  'שָׁלוֹם',
  '“Bright·Pane” №5, ½ & Söhne™',
  'a\u00adb\u200dc\u3000dd|ff^gg~hh',
])('%s has the words that a search for it looks for', async (name) => {
  const { rows } = await portal.deps.db.query.execute<{ word: string; given: string }>(sql`
    SELECT given, (SELECT word FROM fold_words(${name}) AS word WHERE word = fold_text(given)) AS word
      FROM unnest(${sql.param(searchWords(name))}::text[]) AS given`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ word }) => word === null)).toEqual([]);
});

test.each([
  ['ΝΊΚΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ', 'Νίκος Παπαδόπουλος'],
  ['ZOË O’BRIEN', 'Zoë O’Brien'],
])('%s is folded like %s', async (capitals, name) => {
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT fold_text(${capitals}) = fold_text(${name}) AS same`,
  );
  expect(rows).toEqual([{ same: true }]);
});

describe('a customer is found by', () => {
  test('words of name and places, ignoring case and accents, after an import', async () => {
    const row = officeRow({
      customerName: 'Žoë O’Brien-Müller',
      description: 'Straße 7',
      addressLine1: '12 Łąka',
      city: 'Ørsted',
    });
    await importRows(portal, [row]);
    await indexWords(portal.deps);
    expect(await wordsOf(row.customerNumber)).toEqual(
      '12 62704 7 brien il laka muller o obrien orsted strasse zoe'.split(' '),
    );
  });

  test('current words, after a change of name and place', async () => {
    const row = officeRow({ customerName: 'Old Name', addressLine1: '1 First Street' });
    await importRows(portal, [row]);
    await indexWords(portal.deps);
    await importRows(portal, [{ ...row, customerName: 'New Name', addressLine1: '2 Second Street' }]);
    await indexWords(portal.deps);
    expect(await wordsOf(row.customerNumber)).toEqual(
      '2 62704 home il name new second springfield street'.split(' '),
    );
  });

  test('places that it gained, and not those that it lost', async () => {
    const row = officeRow({ customerName: 'Before' });
    const next = { ...row, customerNumber: `${row.customerNumber}1`, customerName: 'After' };
    await importRows(portal, [row]);
    await importRows(portal, [next]);
    await indexWords(portal.deps);
    expect(await wordsOf(row.customerNumber)).toEqual(['before']);
    expect(await wordsOf(next.customerNumber)).toContain('maple');
  });

  test('names of its account holders while they are linked', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const invited = await makeUser(portal, { firstName: 'Noor', lastName: 'Haddad' });
    const linked = await makeUser(portal, { firstName: 'Wei', lastName: 'Zhang' });
    await linkCustomer(portal, { ...invited, ...made });
    await linkLocation(portal, { ...linked, ...made });
    const { rows } = await portal.deps.db.query.execute<{ number: number }>(
      sql`SELECT number FROM customer WHERE id = ${made.customerId}`,
    );
    const number = rows[0]?.number ?? 0;
    await indexWords(portal.deps);
    expect(await wordsOf(number)).toEqual(expect.arrayContaining(['noor', 'haddad', 'wei', 'zhang']));

    await portal.deps.db.query.execute(
      sql`UPDATE user_customer SET ended_at = now() WHERE user_id = ${invited.userId}`,
    );
    await portal.deps.db.query.execute(sql`UPDATE app_user SET last_name = 'Wu' WHERE id = ${linked.userId}`);
    await indexWords(portal.deps);
    const words = await wordsOf(number);
    expect(words).toEqual(expect.arrayContaining(['wei', 'wu']));
    for (const gone of ['noor', 'haddad', 'zhang']) expect(words).not.toContain(gone);
  });
});

test('gives keys to customers from before names had them', async () => {
  const row = officeRow({ customerName: 'Élan Vital' });
  await importRows(portal, [row]);
  const { db } = portal.deps;
  const keys = async () =>
    (
      await db.query.execute<{ key: string }>(
        sql`SELECT name_key AS key FROM customer WHERE number = ${Number(row.customerNumber)}`,
      )
    ).rows;
  expect(await keys()).toEqual([{ key: 'elan vital' }]);
  await db.query.execute(sql`UPDATE customer SET name_key = '' WHERE number = ${Number(row.customerNumber)}`);
  await db.query.execute(sql`INSERT INTO word_change (customer_id) SELECT id FROM customer`);
  await indexWords(portal.deps);
  expect(await keys()).toEqual([{ key: 'elan vital' }]);
});

test('two instances work off a backlog together, page by page', async () => {
  const rows = Array.from({ length: 1_200 }, (_, index) =>
    officeRow({ franchiseId: '7', customerName: `Backlog ${index}` }),
  );
  await importRows(portal, rows);
  await Promise.all([indexWords(portal.deps), indexWords(portal.deps)]);
  await indexWords(portal.deps);
  const { rows: found } = await portal.deps.db.query.execute<{ customers: number; waiting: number }>(sql`
    SELECT (SELECT count(*) FROM search_word WHERE franchise_id = 7 AND word = 'backlog')::integer AS customers,
           (SELECT count(*) FROM word_change)::integer AS waiting`);
  expect(found).toEqual([{ customers: 1_200, waiting: 0 }]);
});
