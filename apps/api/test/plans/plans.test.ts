import { beforeAll, expect, test } from 'vitest';
import { growBooks } from '../../bench/scale/grow-books.ts';
import { buildApp } from '../../src/app.ts';
import { resealCards } from '../../src/modules/payment-methods/reseal-cards.ts';
import { compareAfterRestore } from '../../src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../src/open-deps.ts';
import { type TestApp, testEnv } from '../build-test-app.ts';
import { withClient } from '../database/make-database.ts';
import { createTestDatabase, type TestDatabase } from '../database/postgres.ts';
import { useEmulator } from '../emulator.ts';
import { gatewaySettings } from '../factories/payments/payments.ts';
import { useMailServer } from '../mail/mail-server.ts';
import { makeStaff, OFFICE_SETTINGS } from '../office/office-people.ts';
import { sealUnbound } from '../releases/seal-unbound.ts';
import { makePlanCustomer } from './customers.ts';
import { findForbidden } from './find-forbidden.ts';
import { useAccounts } from './flows/account-flows.ts';
import { useConsole } from './flows/console-flows.ts';
import { useConsolePayments } from './flows/console-payment-flows.ts';
import { lookAfterBooks, useImports } from './flows/import-flows.ts';
import { useOffice } from './flows/office-flows.ts';
import { usePortal } from './flows/payer-flows.ts';
import { useConsoleRefunds } from './flows/refund-flows.ts';
import { useStaff } from './flows/staff-flows.ts';
import { runTasks } from './flows/task-flows.ts';
import { judgePlan } from './judge-plan.ts';
import { lengthenConsole } from './lengthen-console.ts';
import { lengthenOffers } from './lengthen-offers.ts';
import { countQueryCalls } from './query-functions.ts';
import { createRecorder, type Step } from './recorder.ts';
import { explainAll, type Statement, watchStatements } from './watch-statements.ts';

/** Tables that stay small however long the books are. */
const SMALL = new Set([
  // One row per kind of background work.
  'background_lane',
  'deployment',
  'engine_clock',
  'share_filling',
  // One per office, or a few.
  'franchise',
  'merchant_account',
  'provider_budget',
  'account_look',
  'books_epoch',
  'book_comparison',
  // One per file that an office sends, and one per difference found at night.
  'office_import',
  'office_import_count',
  'book_difference',
  // A few per office, and what they are signed in with.
  'staff',
  'staff_franchise',
  'staff_factor',
  'staff_recovery_code',
  'office_session',
  'office_challenge',
  'step_up',
  'office_api_key',
  // Empty except after a restore.
  'lost_order',
  'found_payment',
  'found_payment_work_order',
  // A few, entered by hand.
  'dispute',
  // One per account.
  'refund_coverage',
  // A few, until somebody has looked.
  'unmailed_credit',
  'unreadable_secret',
  // Empty unless the books are broken.
  'known_violation',
  // Queues that are emptied within seconds.
  'mail_request',
  'word_change',
]);

/** The only queries that no flow here runs. */
const NOT_LOOKED_AT = [
  // By its own key, after a lost answer.
  'modules/acts/answers.queries.ts findAnswer',
  // By the charge's own id, after a commit whose answer was lost.
  'modules/payments/engine/charges.queries.ts isApprovalStored',
  // By the charge's own id, when a hold appears after the charge ended.
  'modules/payments/books/comparison.queries.ts leaseEndedCharge',
  // By its own id or its charge's; there are few, where a franchise has no email address.
  'modules/payments/engine/credits.queries.ts insertUnmailedCredits',
  'modules/payments/engine/credits.queries.ts findUnseenCredit',
  'modules/payments/engine/credits.queries.ts selectUnseenCredits',
  // A table of one row, which only the demo moves.
  'db/clock/engine-clock.queries.ts advanceEngineClock',
  // By the account's own row, after a refused connection.
  'modules/payments/listings/listings.queries.ts endListingRest',
  'modules/payments/listings/listings.queries.ts restListing',
  // By the account's own row: while another instance looks, when its budget is spent, where keys are refused after a restore.
  'modules/payments/epoch/looks.queries.ts isLookUnderWay',
  'modules/payments/epoch/looks.queries.ts postponeLook',
  'modules/payments/epoch/looks.queries.ts storeUnread',
  // One row, by the lane's name, while the mail server doesn't answer.
  'mail/mail-server.queries.ts noteMailServerAnswer',
  'mail/mail-server.queries.ts restMailServer',
  'mail/mail-server.queries.ts returnMailProbe',
  // By the mail's own id, days later, or while the mail server doesn't answer.
  'mail/mail.queries.ts dropMail',
  'mail/mail.queries.ts postponeWithServer',
  // Merchant accounts, which are few, after a decline and at start.
  'modules/merchant-accounts/merchant-accounts.queries.ts findChargedAccount',
  'modules/merchant-accounts/merchant-accounts.queries.ts insertAccount',
  'modules/merchant-accounts/merchant-accounts.queries.ts listAccounts',
  'modules/merchant-accounts/merchant-accounts.queries.ts lockMerchantAccounts',
  'modules/merchant-accounts/merchant-accounts.queries.ts markReplaced',
  'modules/merchant-accounts/merchant-accounts.queries.ts nextAccountId',
  'modules/merchant-accounts/merchant-accounts.queries.ts storeSealedKeys',
  // At start, all cards, page by page along their ids.
  'modules/payment-methods/payment-methods.queries.ts replaceCardToken',
  'modules/payment-methods/payment-methods.queries.ts selectCardTokens',
  // At start with a newer data key: staff's apps.
  'modules/staff/factors/factors.queries.ts replaceAppSecret',
  'modules/staff/factors/factors.queries.ts selectAppSecrets',
  // One row, when a restore is noticed.
  'modules/payments/epoch/hold-access.queries.ts carryHoldOn',
  'modules/payments/epoch/hold-access.queries.ts isAccessHeldFor',
  // By the payment's own id, after a lost answer.
  'modules/payments/engine/payments.queries.ts findPricedVersions',
  // By the payment's own id and its charges' orders, when a press is repeated that was told "not charged".
  'modules/payments/pay/replay/doubt.queries.ts listDoubts',
  'modules/payments/epoch/epoch.queries.ts mayBeLost',
  // Payments that only the provider has, which exist only after a restore.
  'modules/payments/restore/found-payments.queries.ts findBlockingFoundPayment',
  'modules/payments/restore/found-payments.queries.ts isAnyFoundOpen',
  'modules/payments/restore/found-payments.queries.ts markFoundPaymentAcknowledged',
  'modules/payments/restore/found-payments.queries.ts storeFoundPayment',
  // One row, by its id, when an acknowledgement came too late.
  'modules/payments/review/differences.queries.ts isDifferenceOpen',
  // The addresses of these books, and what is unfinished, before the portal listens or when it has moved.
  'modules/payments/restore/deployments.queries.ts countLeftElsewhere',
  'modules/payments/restore/deployments.queries.ts listAddresses',
  'modules/payments/restore/deployments.queries.ts moveAddresses',
  // One row, before the portal listens.
  'modules/payments/epoch/restore.queries.ts storeDeployment',
  // By the import's own id, if it failed.
  'modules/office/import/import-record.queries.ts endWithout',
  // By the hash of a demo's link.
  'modules/auth/mailbox/mail-tokens.queries.ts findTokenOwner',
  'modules/auth/mailbox/mail-tokens.queries.ts markTokenUsed',
  // One row, by the lane's name, when a run takes long or fails.
  'jobs/schedule.queries.ts keepTurn',
  'jobs/schedule.queries.ts postponeTurn',
  // By the session's own id, once a minute.
  'modules/staff/sessions/sessions.queries.ts noteSeen',
  // At start, one text by its version.
  'modules/terms/terms.queries.ts keepTermsText',
  // By the ids of an import's customers and locations, one page at a time.
  'modules/office/import-history/undo.queries.ts listAnchors',
  // By the names of rows that no data key can decrypt.
  'crypto/unreadable-secrets.queries.ts insertUnreadableSecret',
];

const emulator = useEmulator();
const mailServer = useMailServer();

const FEW = 2;
const MANY = 20;
const BUSY_MACHINE_MILLISECONDS = 240_000;
const byCount = new Map<number, Map<string, Statement[]>>();
let growing: ReadonlySet<string>;
let uncalled: string[];
let underOwnRole: Awaited<ReturnType<typeof findForbidden>>;
const consoleSteps = new Set<string>();

beforeAll(async () => {
  const watched = watchStatements();
  const database = await createTestDatabase();
  const portal = await openPortal(database);
  try {
    const calls = await countQueryCalls();
    const admins = { [FEW]: await makeStaff(portal), [MANY]: await makeStaff(portal) };
    for (const count of [FEW, MANY] as const) {
      const { step, kept } = createRecorder(watched.take);
      byCount.set(count, kept);
      const consoleStep: Step = (name, work) => {
        consoleSteps.add(name);
        return step(name, work);
      };
      const customer = await makePlanCustomer(portal, emulator, { count });
      await useAccounts(portal, step, { count });
      await usePortal(portal, step, { emulator, customer });
      await useOffice(portal, step, { emulator, count });
      await useConsole(portal, consoleStep, { count });
      await useConsolePayments(portal, consoleStep);
      await useConsoleRefunds(portal, { step, consoleStep });
      await useImports(portal, step, { count });
      await lookAfterBooks(portal, step);
      await useStaff(portal, step, { admin: admins[count] });
      await runTasks(portal, step, { emulator, mailServer });
    }
    uncalled = await calls.findUncalled();
    underOwnRole = await findForbidden(database.url, ownTexts());
  } finally {
    watched.stop();
    await portal.app.close();
    await portal.deps.db.close();
    await database.drop();
  }
}, BUSY_MACHINE_MILLISECONDS);

/** A portal with long enough books, on connections that explain every statement. */
async function openPortal({ url }: TestDatabase): Promise<TestApp> {
  const merchant = await emulator.merchant('portal');
  const settings = { ...gatewaySettings(emulator, merchant), ...OFFICE_SETTINGS, SMTP_URL: mailServer.url };
  // The books end now, and so must the portal's clock.
  const clock = { now: new Date() };
  const deps = await openDeps(testEnv({ DATABASE_URL: url, ...settings }), { clock: () => clock.now });
  await growBooks(url, {
    invoices: 20_000,
    invoicesPerLocation: 1,
    passwordHash: '',
    sealedCard: sealUnbound(deps.env.DATA_KEY[0] ?? '', 'card'),
  });
  const { rows } = await deps.db.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  growing = new Set(rows.map(({ name }) => name).filter((name) => !SMALL.has(name)));
  // Otherwise the first payment would read the provider's list.
  await compareAfterRestore(deps);
  // As each start leaves them.
  await resealCards(deps);
  // On a connection of its own, as the portal's give up what a busy machine takes long for.
  await withClient(url, async (client) => {
    await lengthenConsole(client);
    await lengthenOffers(client);
    await client.query('VACUUM ANALYZE payment_method');
  });
  await explainAll(url);
  return Object.assign(clock, { app: await buildApp(deps), deps });
}

test('no statement reads a table that grows from one end to the other', () => {
  const faults = new Set<string>();
  for (const [step, statements] of byCount.get(MANY) ?? []) {
    for (const statement of statements) {
      for (const fault of judgePlan(statement, growing, boundsOf(step))) faults.add(`${step}: ${fault}`);
    }
  }
  expect([...faults]).toEqual([]);
});

/** A list of the console reads at most 5,000 candidates, and its sums at most twice as many. */
const LIST_BOUNDS = { mostRows: 5_050, mostCost: 150_000 };
const SUM_BOUNDS = { mostRows: 10_050, mostCost: 300_000 };

const EXPORTS = new Set(['an export of payments', 'the audit as a file']);

function boundsOf(step: string) {
  if (step.startsWith('payments of') || step.startsWith('the history of')) return LIST_BOUNDS;
  return step.startsWith('sums of') || EXPORTS.has(step) ? SUM_BOUNDS : undefined;
}

test('nothing asks the database more often because there are more rows', () => {
  const asked = (count: number) =>
    Object.fromEntries([...(byCount.get(count) ?? [])].map(([step, each]) => [step, mostRepeated(each)]));
  expect(asked(MANY)).toEqual(asked(FEW));
});

/** The most repetitions of one statement. Others depend on the clock, such as the reload of ended sessions. */
function mostRepeated(statements: Statement[]): number {
  const byText = Map.groupBy(
    statements.filter(({ isNested }) => !isNested),
    ({ text }) => text,
  );
  return Math.max(0, ...[...byText.values()].map((same) => same.length));
}

/** Matches reads of an office's rows. */
const OFFICES_ROWS =
  /\b(?:from|join)\s+"?(?:invoice|customer|location|payment_share|ledger_entry|charge_allocation)"?(?![\w"])/i;

test('whatever the console reads of an office goes through the franchises that its caller sees', () => {
  const faults = new Set<string>();
  let reading = 0;
  for (const [step, statements] of byCount.get(FEW) ?? []) {
    if (!consoleSteps.has(step)) continue;
    for (const { text, isNested } of statements) {
      if (isNested || !OFFICES_ROWS.test(text)) continue;
      reading++;
      if (text.includes('visible_franchise')) continue;
      faults.add(`${step}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`);
    }
  }
  expect([...faults]).toEqual([]);
  expect(reading).toBeGreaterThan(30);
});

/** What the portal itself ran, each text once. Rights of triggers and functions are their owner's, or are tried by a role's own test. */
function ownTexts(): Set<string> {
  const statements = [...byCount.values()].flatMap((kept) => [...kept.values()]).flat();
  return new Set(statements.filter(({ isNested }) => !isNested).map(({ text }) => text));
}

test('a role that owns nothing has the rights for every statement of the portal', () => {
  // Only the demo's, which runs as the owner, moves the clock.
  expect(underOwnRole.forbidden).toEqual([expect.stringContaining('INSERT INTO engine_clock')]);
  expect(underOwnRole.asked).toBeGreaterThan(300);
});

test('every query of the portal has been looked at', () => {
  expect(uncalled).toEqual(NOT_LOOKED_AT.toSorted());
});
