import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);

/** More than are read one by one for headquarters. */
const OFFICES = 21;
let cookie: string;

beforeAll(async () => {
  const franchiseIds: number[] = [];
  for (let count = 0; count < OFFICES; count++)
    franchiseIds.push((await makeInvoice(portal.deps.db.query)).franchiseId);
  // A page's worth of others' rows, in front of all of them in each list.
  const others = Array.from({ length: 60 }, (_, index) =>
    officeRow({
      franchiseId: '8801',
      workOrderNumber: `${900_000_000 + index}`,
      customerNumber: `${index + 1}`,
      customerName: 'Aaron',
      locationId: `${index + 1}`,
    }),
  );
  await importRows(portal, others);
  cookie = await signInStaff(portal, await makeStaff(portal, { role: 'owner', franchiseIds }));
});

test.each(['/invoices', '/customers'])('%s shows an owner of many offices all of theirs', async (list) => {
  const answer = await callConsole(portal, 'GET', list, { cookie });
  expect(answer.json().items).toHaveLength(OFFICES);
});
