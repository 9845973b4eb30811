import { eq } from 'drizzle-orm';
import { invoice } from '../../../src/db/schema/franchises.ts';
import { forgetOld } from '../../../src/jobs/forget-old.ts';
import { openLanes } from '../../../src/jobs/lanes/open-lanes.ts';
import { TASK_NAMES } from '../../../src/jobs/task-names.ts';
import { systemTimers } from '../../../src/jobs/timers.ts';
import { checkMail } from '../../../src/mail/check-mail.ts';
import { deliverMail } from '../../../src/mail/deliver-mail.ts';
import { queueMail } from '../../../src/mail/queue-mail.queries.ts';
import { answerMailRequests } from '../../../src/modules/auth/mailbox/answer-mail-requests.ts';
import {
  BEFORE_ALL_INTENTS,
  checkIntents,
  checkInvoices,
} from '../../../src/modules/payments/books/books.queries.ts';
import { checkBooks } from '../../../src/modules/payments/books/check-books.ts';
import { compareBooks } from '../../../src/modules/payments/books/compare-books.ts';
import { compareAfterRestore } from '../../../src/modules/payments/restore/compare-after-restore.ts';
import { watchOnce } from '../../../src/modules/payments/restore/watch-books.ts';
import { expirePayments } from '../../../src/modules/payments/sweep/expire-payments.ts';
import { advanceEngineClock } from '../../books/engine-clock.ts';
import { findAllHolds, sweepCharges } from '../../books/sweep.ts';
import { call, type TestApp } from '../../build-test-app.ts';
import type { TestEmulator } from '../../emulator.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { makeCharge } from '../../factories/payments/charges.ts';
import { guestSale, payAsGuest } from '../../factories/payments/payments.ts';
import { makeUser } from '../../factories/users.ts';
import { forgetMails, useUpMails } from '../../limits/crowded-address.ts';
import type { MailServer } from '../../mail/mail-server.ts';
import { callOffice } from '../../office/office.ts';
import type { Step } from '../recorder.ts';
import { runRefunds } from './refund-flows.ts';

const DAY_SECONDS = 24 * 60 * 60;
const HOLD_DAYS = 40;

/** Every background task, with something to do. */
export async function runTasks(
  portal: TestApp,
  step: Step,
  { emulator, mailServer }: { emulator: TestEmulator; mailServer: MailServer },
): Promise<void> {
  const { deps } = portal;
  await pay(portal, emulator);
  await step('sweep charges', () => sweepCharges(deps));
  // The provider captured it, but its answer is lost.
  await emulator.script({ fault: 'reset', when: 'after', command: 'capture' });
  await pay(portal, emulator);
  await step('a capture without an answer', () => sweepCharges(deps));
  await advanceEngineClock(deps, 60);
  await step('a capture tried again', () => sweepCharges(deps));

  await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
  await pay(portal, emulator);
  await advanceEngineClock(deps, 60);
  await step('find holds', () => findAllHolds(deps));
  await step('release a hold', () => sweepCharges(deps));
  await restAndReview(portal, step, { emulator });

  await runRefunds(portal, step, { emulator });

  const { invoiceId } = await makeCharge(deps, { state: 'authorising' });
  const [claimed] = await deps.db.query
    .select({ franchiseId: invoice.franchiseId, workOrderNumber: invoice.workOrderNumber })
    .from(invoice)
    .where(eq(invoice.id, invoiceId));
  if (!claimed) throw new Error('the invoice is there');
  await step('pay what somebody else is paying', async () => {
    await payAsGuest(portal, await guestSale(emulator, { ...claimed, zipCode: '62704' }));
  });
  await advanceEngineClock(deps, 60);
  await step('expire payments', () => expirePayments(deps));

  // Delivers what earlier calls queued, which depends on the number of rows.
  await deliverMail(deps);
  const content = { subject: 'One', text: 'One', html: 'One' };
  const mail = { kind: 'credit-note', recipient: 'one@example.com', content } as const;
  await queueMail(deps.db.query, mail);
  await step('deliver mail', () => deliverMail(deps));
  mailServer.refuseNext(1, 550);
  await queueMail(deps.db.query, mail);
  await step('a mail that is refused', () => deliverMail(deps));
  // Otherwise it would be retried in five seconds, in the middle of another step.
  await deps.db.pool.query('DELETE FROM outgoing_mail WHERE next_try_at IS NOT NULL');
  await step('check mail', () => checkMail(deps));
  const { email } = await makeUser(portal, { emailConfirmedAt: null });
  await step('ask for the confirmation again', () =>
    call(portal, 'POST', '/user/resendemailconfirmation', { body: { email } }),
  );
  await useUpMails(portal);
  await step('ask for it at an address that has asked for many', () =>
    call(portal, 'POST', '/user/resendemailconfirmation', { body: { email } }),
  );
  await forgetMails(portal);
  await step('answer mail requests', () => answerMailRequests(deps));
  await step('check the books', () => checkBooks(deps));
  // As small compared with these books as a real page is with long ones.
  const limit = 20;
  await step('a page of the nightly check', async () => {
    await checkIntents(deps.db.query, { after: BEFORE_ALL_INTENTS, limit });
    await checkInvoices(deps.db.query, { after: 0, limit });
  });
  await step('forget what is old', () => forgetOld(deps));
  await advanceEngineClock(deps, 16 * 60);
  await step('compare the books', () => compareBooks(deps));
  const lanes = openLanes({ money: deps, others: deps }, systemTimers);
  await advanceEngineClock(deps, DAY_SECONDS);
  await pay(portal, emulator);
  await queueMail(deps.db.query, mail);
  await step('each lane looks', async () => {
    // Its pages are as long as these books, so it has a step of its own.
    for (const name of TASK_NAMES) if (name !== 'check-all-books') await lanes.look(name);
  });
  await lanes.stop();
  await step('say that the database was restored', () =>
    callOffice(portal, 'POST', '/restored', { body: {} }),
  );
  await emulator.script({ fault: 'status', status: 500, command: 'list' });
  await step('compare without an answer', () => compareAfterRestore(deps));
  await step('compare after a restore', () => compareAfterRestore(deps));
  await step('watch the books', () => watchOnce(deps));
  await deps.db.pool.query('DELETE FROM books_epoch');
  await step('pay before anybody has looked', () => pay(portal, emulator));
}

/** Work that goes wrong: rate limits, an expired hold, one that was never made, one that isn't captured for a day. */
async function restAndReview(
  portal: TestApp,
  step: Step,
  { emulator }: { emulator: TestEmulator },
): Promise<void> {
  const { deps } = portal;
  await emulator.script({ fault: 'status', status: 429, when: 'before', command: 'capture' });
  await pay(portal, emulator);
  await step('a provider that wants rest', () => sweepCharges(deps));
  await advanceEngineClock(deps, 70);
  await sweepCharges(deps);

  await pay(portal, emulator);
  await emulator.advanceClock(HOLD_DAYS * DAY_SECONDS);
  await step('a hold that ran out', () => sweepCharges(deps));
  await advanceEngineClock(deps, 70);
  await step('a capture that failed', () => sweepCharges(deps));

  await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
  await pay(portal, emulator);
  await advanceEngineClock(deps, 20 * 60);
  await step('a hold that is not there', () => findAllHolds(deps));

  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 100 });
  await pay(portal, emulator);
  await sweepCharges(deps);
  await advanceEngineClock(deps, DAY_SECONDS + 60);
  await step('a charge that is not captured for a day', () => sweepCharges(deps));
  await emulator.clearFaults();
  await advanceEngineClock(deps, 3600);
  await sweepCharges(deps);
}

async function pay(portal: TestApp, emulator: TestEmulator): Promise<void> {
  const invoice = await makeInvoice(portal.deps.db.query);
  await payAsGuest(portal, await guestSale(emulator, invoice));
}
