import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceEngineClock } from '../../test/books/engine-clock.ts';
import { sweep } from '../../test/books/sweep.ts';
import { call, testEnv } from '../../test/build-test-app.ts';
import { useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../test/factories/payments/payments.ts';
import { makeRefundable, requestRefund } from '../../test/factories/requested-refunds.ts';
import { makeStaff } from '../../test/office/office-people.ts';
import { outgoingMail } from '../db/schema/operations.ts';
import { LATE_AFTER_SECONDS } from '../jobs/lanes/watch-lanes.ts';
import { TASK_NAMES, type TaskName } from '../jobs/task-names.ts';
import { checkAllBooks } from '../modules/payments/books/check-all-books.ts';
import { checkBooks } from '../modules/payments/books/check-books.ts';
import { decideRefund } from '../modules/payments/refunds/decide-refund.ts';
import { openDeps } from '../open-deps.ts';
import { createMetrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
let skew: number | null = null;
let served: Awaited<ReturnType<typeof serveMetrics>>;

beforeAll(async () => {
  served = await serveMetrics(portal.deps, { port: 0, host: '127.0.0.1', skewSeconds: () => skew });
});
afterAll(() => served.close());

const get = (path: string) => fetch(`http://127.0.0.1:${served.port}${path}`);

/** A scrape's values, by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const answer = await get('/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    portal.deps.metrics.registry.contentType,
  ]);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, series = '', value] = /^([a-z0-9_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      expect(series, line).not.toBe('');
      return [series, Number(value)];
    }),
  );
}

const pay = async (given: Parameters<typeof guestSale>[2] = {}) =>
  payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query), given));

const fileAt = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const namesIn = (text: string) =>
  new Set(
    text
      .match(/\b(?:portal|nodejs|process)_[a-z0-9_]+/g)
      ?.map((name) => name.replace(/_(count|bucket)$/, '')),
  );

test('the alerts and the guide watch the same metrics, and all of them are exported', async () => {
  const exported = portal.deps.metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const guide = fileAt('docs/operations.md');
  const watched = guide
    .split('\n')
    .filter((line) => /^\| `[a-z]+_/.test(line))
    .map((line) => line.split(' | ')[0])
    .join('\n');
  const alerts = fileAt('deploy/alerts.yaml');
  expect(namesIn(watched)).toEqual(namesIn(alerts));
  expect([...namesIn(guide), ...namesIn(alerts)].filter((name) => !exported.includes(name))).toEqual([]);
});

test('an alert names what its remedy depends on', () => {
  const rules = fileAt('deploy/alerts.yaml').split('- alert: ').slice(1);
  const named = rules.map((rule) => [rule.split('\n')[0], /\bby \(([^)]+)\)/.exec(rule)?.[1]]);
  // What only one instance knows is mended there.
  expect(Object.fromEntries(named)).toMatchObject({
    LaneHangs: 'instance, lane',
    PoolIsFull: 'instance, pool',
    EventLoopIsLate: 'instance',
    MemoryIsFull: 'instance',
    ClockIsOff: 'instance',
    TurnedAway: 'reason',
  });
});

/** Statuses that a pattern such as `5..` stands for; the provider's rarer ones can't be shown beforehand. */
const statusesOf = (result: string) =>
  result.includes('.') ? ['00', '02', '03', '04'].map((rest) => result.replace('..', rest)) : [result];

test('what an alert counts is shown before it first happens', async () => {
  const shown = await createMetrics().registry.metrics();
  const counted = [
    ...fileAt('deploy/alerts.yaml').matchAll(/(?:rate|increase)\((portal_\w+)(?:\{(\w+)=~?"([^"]+)"\})?\[/g),
  ];
  const watched = counted.flatMap(([, name, label, results]) =>
    (results?.split('|') ?? []).flatMap(statusesOf).map((result) => [name, label, result]),
  );
  expect(watched.length).toBeGreaterThan(13);
  for (const [name, label, result] of watched)
    expect(shown).toMatch(new RegExp(`^${name}\\{(.*,)?${label}="${result}".*\\} 0$`, 'm'));
  for (const reason of ['calls', 'loop', 'pool'])
    expect(shown).toContain(`portal_turned_away_total{reason="${reason}"} 0`);
});

test('an alert watches every lane', () => {
  // These have metrics of their own, with alerts that are sooner.
  const watchedBy = {
    'sweep-refunds': 'refund_lag',
    'deliver-mail': 'mail_lag',
    'compare-after-restore': 'payments_closed',
  };
  const alerts = fileAt('deploy/alerts.yaml');
  for (const metric of Object.values(watchedBy)) expect(alerts).toContain(`portal_${metric}`);
  const rules = [...alerts.matchAll(/portal_lane_lag_seconds\{lane=~"([^"]+)"\}\) > (\d+)/g)];
  const lanes = rules.flatMap(([, names = '', seconds]) =>
    names.split('|').map((lane) => [lane, Number(seconds)] as const),
  );
  expect([...lanes.map(([lane]) => lane), ...Object.keys(watchedBy)].sort()).toEqual([...TASK_NAMES].sort());
  // What `status` calls late is what alerts.
  expect(Object.fromEntries(lanes)).toEqual(
    Object.fromEntries(lanes.map(([lane]) => [lane, LATE_AFTER_SECONDS[lane as TaskName]])),
  );
});

test('shows how far the host’s clock is off, once that is known', async () => {
  expect((await scrape()).get('portal_clock_skew_seconds')).toBeUndefined();
  skew = -3;
  expect((await scrape()).get('portal_clock_skew_seconds')).toBe(-3);
});

test('counts requests by route pattern', async () => {
  await call(portal, 'DELETE', '/user/location/4711');
  await call(portal, 'DELETE', '/user/location/4712');
  await portal.app.inject('/nothing/here');
  const metrics = await scrape();
  const route = 'method="DELETE",route="/api/user/location/:locationId",status="401"';
  expect(metrics.get(`portal_request_seconds_count{${route}}`)).toBe(2);
  expect(metrics.get(`portal_request_seconds_bucket{le="+Inf",${route}}`)).toBe(2);
  expect(metrics.get('portal_request_seconds_count{method="GET",route="none",status="404"}')).toBe(1);
  expect([...metrics.keys()].join()).not.toMatch(/4711|nothing/);
});

test('counts answers by the class of their status, whatever the route', async () => {
  const before = await scrape();
  await portal.app.inject('/nothing/here');
  await portal.deps.db.pool.query('ALTER TABLE app_user RENAME TO app_user_away');
  try {
    const body = { email: 'ana@example.com', password: 'a right password' };
    expect((await call(portal, 'POST', '/authentication/login', { body })).statusCode).toBe(500);
  } finally {
    await portal.deps.db.pool.query('ALTER TABLE app_user_away RENAME TO app_user');
  }
  const after = await scrape();
  const risenBy = (status: string) => {
    const series = `portal_answers_total{status="${status}"}`;
    return (after.get(series) ?? 0) - (before.get(series) ?? Number.NaN);
  };
  expect(['2xx', '4xx', '5xx'].map(risenBy)).toEqual([0, 1, 1]);
});

test('counts payments by outcome, and calls to the provider by result', async () => {
  await pay();
  await pay({ card: '4000300611112224' });
  await emulator.script({ fault: 'status', when: 'before', status: 500, command: 'authonly' });
  await pay();
  const metrics = await scrape();
  const payments = (outcome: string) =>
    metrics.get(`portal_payments_total{kind="guest",outcome="${outcome}"}`);
  expect(['Paid', 'Declined', 'ProviderFailing'].map(payments)).toEqual([1, 1, 1]);
  // Two holds, and the look at the list before the first.
  expect(metrics.get('portal_provider_calls_total{result="200"}')).toBe(3);
  expect(metrics.get('portal_provider_calls_total{result="500"}')).toBe(1);
});

test('shows what is unfinished and how late it is', async () => {
  await sweep(portal.deps);
  expect((await scrape()).get('portal_charges_unfinished{state="accepted"}')).toBeUndefined();
  await pay();
  await advanceEngineClock(portal.deps, 600);
  await portal.deps.db.query.insert(outgoingMail).values({
    kind: 'invitation',
    recipient: 'ana@example.com',
    content: {},
    nextTryAt: sql`clock_timestamp() - interval '1 hour'`,
  });
  const metrics = await scrape();
  expect(metrics.get('portal_charges_unfinished{state="accepted"}')).toBe(1);
  expect(metrics.get('portal_charges_unfinished_oldest_seconds{state="accepted"}')).toBeGreaterThan(599);
  for (const [name, earlier] of [
    ['portal_charge_lag_seconds', 'portal_settle_lag_seconds'],
    ['portal_lane_lag_seconds{lane="sweep-charges"}', 'portal_lane_lag_seconds{lane="settle-charges"}'],
  ] as const) {
    expect(metrics.get(name), name).toBeGreaterThan(500);
    expect(metrics.get(earlier), earlier).toBeGreaterThan(500);
  }
  expect(metrics.get('portal_mail_lag_seconds')).toBeGreaterThan(3599);
  expect(metrics.get('portal_mail_stuck')).toBe(0);
  expect(metrics.get('portal_payments_undecided')).toBe(0);
  expect(metrics.get('portal_payments_closed')).toBe(0);
});

test('counts refunds by outcome, and unfinished ones by state', async () => {
  const invoice = await makeInvoice(portal.deps.db.query);
  await payAsGuest(portal, await guestSale(emulator, invoice));
  await sweep(portal.deps);
  const sale = await makeRefundable(portal.deps.db.query, invoice);
  const [held, left] = [
    await requestRefund(portal.deps, sale, { invoiceCents: 10_00 }),
    await requestRefund(portal.deps, sale, { invoiceCents: 20_00 }),
  ];
  const hold = { event: 'hold', refundId: held, heldFor: 'disputed' } as const;
  await decideRefund(portal.deps, { intentId: sale.paymentId, decision: hold });
  await advanceEngineClock(portal.deps, 600);
  const metrics = await scrape();
  expect(metrics.get('portal_refunds_total{outcome="held"}')).toBe(1);
  expect(metrics.get('portal_refunds_open{state="held"}')).toBe(1);
  expect(metrics.get('portal_refunds_open{state="waiting"}')).toBe(1);
  expect(metrics.get('portal_refunds_open_oldest_seconds{state="waiting"}')).toBeGreaterThan(599);
  expect(metrics.get('portal_refund_lag_seconds')).toBeGreaterThan(500);
  expect(metrics.get('portal_refunds_need_person')).toBe(1);
  expect(metrics.get('portal_refunds_unclaimed')).toBe(0);
  expect(metrics.get('portal_refunded_twice')).toBe(0);

  for (const refundId of [held, left])
    await decideRefund(portal.deps, { intentId: sale.paymentId, decision: { event: 'withdraw', refundId } });
  const after = await scrape();
  expect(after.get('portal_refunds_total{outcome="withdrawn"}')).toBe(2);
  expect(after.get('portal_refunds_open{state="waiting"}')).toBeUndefined();
  expect(after.get('portal_refunds_need_person')).toBe(0);
});

test('counts what a comparison found apart until somebody has acknowledged it', async () => {
  const { query } = portal.deps.db;
  expect((await scrape()).get('portal_differences_open')).toBe(0);
  await query.execute(sql`
    INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
    SELECT 'not-in-our-books', min(id), 'by-hand', '2', 100 FROM merchant_account`);
  expect((await scrape()).get('portal_differences_open')).toBe(1);
  await query.execute(sql`
    UPDATE book_difference SET acknowledged_at = engine_now(), acknowledged_by = 'x', note = 'Seen.'`);
  expect((await scrape()).get('portal_differences_open')).toBe(0);
});

test('counts whose access is held until it is confirmed', async () => {
  const { query } = portal.deps.db;
  expect((await scrape()).get('portal_access_held')).toBe(0);
  await makeStaff(portal, { role: 'support' });
  await query.execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, rights) VALUES ('Chicago1', 'Chicago', '1', '{view}')`);
  await query.execute(sql`WITH keys AS (UPDATE office_api_key SET held_at = engine_now() WHERE key_hash IS NOT NULL)
    UPDATE staff SET held_at = engine_now()`);
  expect((await scrape()).get('portal_access_held')).toBe(2);
  await query.execute(sql`WITH keys AS (UPDATE office_api_key SET held_at = NULL WHERE key_hash IS NOT NULL)
    UPDATE staff SET held_at = NULL`);
  expect((await scrape()).get('portal_access_held')).toBe(0);
});

test('counts each broken rule of the books once, whichever check has found it', async () => {
  const { query } = portal.deps.db;
  const { invoiceId } = await makeInvoice(query);
  expect((await scrape()).get('portal_rules_broken')).toBe(0);
  await query.execute(sql`UPDATE invoice SET paid_elsewhere_cents = 1 WHERE id = ${invoiceId}`);
  await checkAllBooks(portal.deps);
  const found = (await scrape()).get('portal_rules_broken');
  expect(found).toBeGreaterThan(0);
  await query.execute(sql`
    INSERT INTO known_violation (found_by, rule, subject)
    SELECT 'check-books', rule, subject FROM known_violation`);
  expect((await scrape()).get('portal_rules_broken')).toBe(found);
  await query.execute(sql`UPDATE invoice SET paid_elsewhere_cents = 0 WHERE id = ${invoiceId}`);
  await checkAllBooks(portal.deps);
  await checkBooks(portal.deps);
  expect((await scrape()).get('portal_rules_broken')).toBe(0);
});

test('reports on the pool and the process even if the database does not answer', async () => {
  await portal.deps.db.pool.query('ALTER TABLE found_payment RENAME TO found_payment_away');
  try {
    const metrics = await scrape();
    expect(metrics.get('portal_database_up')).toBe(0);
    expect(metrics.get('portal_pool_connections{pool="brightpane"}')).toBeGreaterThan(0);
    for (const name of [
      'portal_pool_waiting{pool="brightpane"}',
      'portal_pool_waiting{pool="brightpane office"}',
      'nodejs_eventloop_lag_max_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(metrics.has(name), name).toBe(true);
    }
  } finally {
    await portal.deps.db.pool.query('ALTER TABLE found_payment_away RENAME TO found_payment');
  }
  expect((await scrape()).get('portal_database_up')).toBe(1);
});

test('calls a database down that answers and takes no write, as with a full disk', async () => {
  await portal.deps.db.pool.query(`
    CREATE SCHEMA full_disk;
    CREATE FUNCTION full_disk.pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE plpgsql AS $$
      BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$`);
  const url = new URL(portal.deps.env.DATABASE_URL);
  url.searchParams.set('options', '-c search_path=full_disk,pg_catalog,public');
  const deps = await openDeps(testEnv({ DATABASE_URL: url.href }));
  const full = await serveMetrics(deps, { port: 0, host: '127.0.0.1' });
  const shown = await (await fetch(`http://127.0.0.1:${full.port}/metrics`)).text();
  await full.close();
  await deps.db.close();
  expect(shown).toContain('\nportal_database_up 0\n');
  expect(shown).toContain('\nportal_payments_undecided 0\n');
});

test('nothing else is answered there, and no metrics on the portal’s own port', async () => {
  expect((await get('/')).status).toBe(404);
  for (const path of ['/metrics', '/api/metrics']) {
    expect((await portal.app.inject(path)).statusCode).toBe(404);
  }
});
