import { indexWords } from '../../../src/modules/console/search/index-words.ts';
import { call, type TestApp } from '../../build-test-app.ts';
import { makeOfficeKey } from '../../factories/office-keys.ts';
import { signInUser } from '../../factories/users.ts';
import { callOffice, importRows, officeRow } from '../../office/office.ts';
import type { Step } from '../recorder.ts';

/** What staff of one office and of headquarters look up and do in the console, with `count` customers of their own. */
export async function useConsole(portal: TestApp, step: Step, { count }: { count: number }): Promise<void> {
  const rows = Array.from({ length: count }, () => officeRow({ customerName: 'Noor Haddad' }));
  const franchiseId = rows[0]?.franchiseId ?? '';
  const own = rows.map((row) => ({ ...row, franchiseId }));
  await importRows(portal, own);
  await indexWords(portal.deps);
  const key = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
  const all = await makeOfficeKey(portal, {});

  const LISTS = [
    '/invoices',
    '/invoices?status=open',
    '/invoices?status=overdue',
    '/invoices?status=overpaid',
    '/invoices?search=noor+maple',
    `/invoices?search=${own[0]?.workOrderNumber}`,
    '/invoices?search=zoe@example',
    '/invoices?search=ref+b100000',
    '/waiting',
    '/customers',
    '/customers?search=noor+haddad',
    '/customers?search=zoe@example',
    `/customers?search=${own[0]?.workOrderNumber}`,
  ];
  for (const path of LISTS) {
    await step(`${path} of an office`.replace(/\d{4,}/, 'n'), () => callOffice(portal, 'GET', path, { key }));
    await step(`${path} of headquarters`.replace(/\d{4,}/, 'n'), () =>
      callOffice(portal, 'GET', path, { key: all }),
    );
  }

  const [first] = own;
  if (!first) throw new Error('an office has customers');
  const customer = `/customers/${franchiseId}/${first.customerNumber}`;
  const user = await signInUser(portal);
  const act = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    step(`${method} ${path.replace(/[0-9a-f-]{36}|\d{4,}/g, 'n')}`, () =>
      callOffice(portal, method, path, { key, body }),
    );
  await act('GET', `/invoices.csv?search=${first.workOrderNumber}`);
  await act('GET', `/invoices/${franchiseId}/${first.workOrderNumber}`);
  await act('POST', `/invoices/${franchiseId}/${first.workOrderNumber}/notes`, { text: 'One' });
  await act('GET', customer);
  await act('POST', `${customer}/notes`, { text: 'One' });
  const invited = await act('POST', `${customer}/invitations`, { email: 'elsewhere@example.com' });
  await act('DELETE', `${customer}/invitations/${invited.json().invitationId}`);
  await callOffice(portal, 'POST', `${customer}/invitations`, { key, body: { email: user.email } });
  await call(portal, 'POST', '/user/invitations', { token: user.token });
  await act('POST', `${customer}/people/${user.userId}/mails`, { kind: 'reset' });
  await act('DELETE', `${customer}/people/${user.userId}`);
  await act('GET', `${customer}/statement?from=2026-01-01&to=2099-12-31`);
  await act('GET', `${customer}/statement.csv?from=2026-01-01&to=2099-12-31`);
}
