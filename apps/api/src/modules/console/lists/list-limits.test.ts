import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
} from '../../../../test/office/office-people.ts';
import { admitList } from './list-limits.ts';

const portal = useTestApp(OFFICE_SETTINGS);

test('limits a person to 120 lists a minute, and a key not at all', async () => {
  const [person, other] = [randomUUID(), randomUUID()];
  for (let count = 0; count < 120; count++) await admitList(portal.deps, { kind: 'staff', id: person });
  await expect(admitList(portal.deps, { kind: 'staff', id: person })).rejects.toMatchObject({
    body: { status: 429 },
  });
  await admitList(portal.deps, { kind: 'staff', id: other });
  for (let count = 0; count < 130; count++) await admitList(portal.deps, { kind: 'key', id: person });
});

test('lets no more lists through at once than one by one, and counts no refused one against the hour', async () => {
  const cookie = await signInStaff(portal, await makeStaff(portal));
  await portal.deps.db.query.execute('DELETE FROM limit_counter');
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => callConsole(portal, 'GET', '/audit', { cookie })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(120);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(30);
  const { rows } = await portal.deps.db.query.execute('SELECT count FROM limit_counter');
  expect(rows).toEqual([{ count: 120 }, { count: 120 }]);
});

test('counts every list of the console together', async () => {
  const admin = await makeStaff(portal);
  const cookie = await signInStaff(portal, admin);
  const lists = [
    ...['/payments', '/payments/summary', '/invoices', '/customers', '/audit', '/imports'],
    '/differences',
  ];
  for (const list of lists) {
    expect((await callConsole(portal, 'GET', list, { cookie })).statusCode, list).toBe(200);
  }
  for (let count = lists.length; count < 120; count++) {
    await admitList(portal.deps, { kind: 'staff', id: admin.staffId });
  }
  for (const list of lists) {
    const refused = await callConsole(portal, 'GET', list, { cookie });
    expect([list, refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([list, 429, 60]);
  }
});
