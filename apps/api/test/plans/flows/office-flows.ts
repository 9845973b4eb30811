import { createMetrics } from '../../../src/metrics/metrics.ts';
import { observePortal } from '../../../src/metrics/observe-portal.ts';
import { call, type TestApp } from '../../build-test-app.ts';
import type { TestEmulator } from '../../emulator.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { guestSale, payAsGuest } from '../../factories/payments/payments.ts';
import { leaveUnresolved } from '../../factories/payments/reviewed-charges.ts';
import { newestLink } from '../../mail/mailbox.ts';
import { callOffice, importRows, officeRow } from '../../office/office.ts';
import type { Step } from '../recorder.ts';

/** Everything that an office does, with `count` rows at a time. */
export async function useOffice(
  portal: TestApp,
  step: Step,
  { emulator, count }: { emulator: TestEmulator; count: number },
): Promise<void> {
  const rows = Array.from({ length: count }, () => officeRow({ paidElsewhere: '50.00' }));
  const [row] = rows;
  if (!row) throw new Error('an office has rows to send');
  const { franchiseId } = row;
  await step('an import of new invoices', () => importRows(portal, rows));
  await step('an import that changes nothing', () => importRows(portal, rows));
  await step('settings of a franchise', () =>
    callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body: { email: 'office@example.com' } }),
  );
  const changed = rows.map((each) => ({ ...each, dueDate: '2026-12-24', paidElsewhere: '200.00' }));
  await step('an import that changes invoices', () => importRows(portal, changed));

  const email = `invited-${count}@example.com`;
  const body = { franchiseId: Number(franchiseId), customerNumber: Number(row.customerNumber), email };
  await step('invite a customer', () => callOffice(portal, 'POST', '/invitations', { body }));
  const { token } = await newestLink(portal, email);
  const person = { firstName: 'Robin', lastName: 'Example', password: 'a long enough password' };
  await step('accept an invitation', () =>
    call(portal, 'POST', '/user/acceptinvite', { body: { email, passwordToken: token, ...person } }),
  );

  const invoice = await makeInvoice(portal.deps.db.query);
  const sale = await guestSale(emulator, invoice);
  const pay = () => payAsGuest(portal, sale);
  const chargeId = await leaveUnresolved(portal, { emulator, isHeld: false, pay });
  await step('charges to review', () => callOffice(portal, 'GET', '/review'));
  await step('a decision that is not for this charge', async () => {
    await callOffice(portal, 'POST', `/review/${chargeId}/reverse`);
  });
  await step('close a charge', () => callOffice(portal, 'POST', `/review/${chargeId}/close`));
  await step('found payments', () => callOffice(portal, 'GET', '/found-payments'));
  await step('status', () => callOffice(portal, 'GET', '/status'));
  await step('a scrape of the metrics', () => {
    const metrics = createMetrics();
    observePortal({ ...portal.deps, metrics });
    return metrics.registry.metrics();
  });
  await step('ready', async () => void (await portal.app.inject('/api/health/ready')));
}
