import { randomUUID } from 'node:crypto';
import type { TestApp } from '../../build-test-app.ts';
import { makeOfficeKey } from '../../factories/office-keys.ts';
import { callOffice, importRows, officeRow, type Row, toCsv } from '../../office/office.ts';
import type { Step } from '../recorder.ts';

const headers = { 'content-type': 'text/csv' };

/** Checks, imports, their history and the files that undo them, with `count` rows. */
export async function useImports(portal: TestApp, step: Step, { count }: { count: number }): Promise<void> {
  const rows = Array.from({ length: count }, () => officeRow());
  await importRows(portal, rows);
  const { franchiseId = '' } = rows[0] ?? {};
  const key = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
  const check = (of: Row[], importId = randomUUID()) =>
    callOffice(portal, 'POST', `/import/preview?importId=${importId}`, { body: toCsv(of), headers });

  const changed = rows.map((row) => ({ ...row, amount: '120.00', paidElsewhere: '130.00' }));
  const importId = randomUUID();
  await step('a check of a file', () => check(changed, importId));
  await step('a check of a file with faults', () => check([{ ...officeRow(), amount: 'x' }]));
  await step('a check by an office of its own', () =>
    callOffice(portal, 'POST', `/import/preview?importId=${randomUUID()}`, {
      body: toCsv(rows.slice(0, 1)),
      headers,
      key,
    }),
  );
  const take = () =>
    callOffice(portal, 'POST', `/import?importId=${importId}`, { body: toCsv(changed), headers });
  await step('an import of what was checked', take);
  await step('the same import again', take);
  await step('the history of imports', () => callOffice(portal, 'GET', '/imports'));
  await step('the history of an office’s imports', () => callOffice(portal, 'GET', '/imports', { key }));
  await step('the history of imports of one office', () =>
    callOffice(portal, 'GET', `/imports?franchiseId=${franchiseId}`),
  );
  await step('the audit of one office', () => callOffice(portal, 'GET', `/audit?franchiseId=${franchiseId}`));
  await step('an import', () => callOffice(portal, 'GET', `/imports/${importId}`));
  await step('the file that takes an import back', () =>
    callOffice(portal, 'GET', `/imports/${importId}/undo.csv`),
  );
}

/** What was done by hand, and what the comparison of the books leaves to people. */
export async function lookAfterBooks(portal: TestApp, step: Step): Promise<void> {
  await step('the audit', () => callOffice(portal, 'GET', '/audit'));
  await step('the audit of a word', () => callOffice(portal, 'GET', '/audit?search=import'));
  await step('the audit of a name', () => callOffice(portal, 'GET', '/audit?who=portal'));
  await step('the audit as a file', () => callOffice(portal, 'GET', '/audit.csv'));
  await step('what waits for who reviews', () => callOffice(portal, 'GET', '/waiting'));
  await step('open differences', () => callOffice(portal, 'GET', '/differences?state=open'));
  await step('acknowledged differences', () => callOffice(portal, 'GET', '/differences?state=acknowledged'));
  const { rows } = await portal.deps.db.pool.query<{ id: string }>(
    `INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
     SELECT 'void', min(id), 'order', 'reference', 100 FROM merchant_account RETURNING id`,
  );
  await step('a difference that is acknowledged', () =>
    callOffice(portal, 'POST', `/differences/${rows[0]?.id}/acknowledge`, { body: { note: 'Seen.' } }),
  );
}
