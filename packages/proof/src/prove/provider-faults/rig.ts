import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { openDatabase } from '../../../../../apps/api/src/db/client.ts';
import { openGateways } from '../../../../../apps/api/src/gateway/open-gateways.ts';
import type { Gateways } from '../../../../../apps/api/src/gateway/payment-gateway.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { observeSeams } from '../../../../../apps/api/test/crashes/crash-seams.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { addCard, makeFranchises } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type SignedInUser, signInUser } from '../../../../../apps/api/test/factories/users.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { judge, type Told } from '../judge.ts';
import { ProviderProxy } from './network/provider-proxy.ts';
import type { Payment } from './payments.ts';

export type Customer = SignedInUser & { paymentMethodId: string };
type LogLine = { alert?: string; msg: string };

/** A portal whose connection to the provider runs through a proxy, and what the current run has seen. */
export type FaultRig = {
  portal: TestApp;
  /** Where the portal listens. */
  url: string;
  emulator: Awaited<ReturnType<typeof startEmulatorProcess>>;
  proxy: ProviderProxy;
  franchises: Awaited<ReturnType<typeof makeFranchises>>;
  customer: Customer;
  other: Customer;
  /** Opens another portal at the same address, on another database. */
  openPortal(databaseUrl: string): Promise<Pick<FaultRig, 'portal' | 'url'>>;
  /** Replaces the portal's gateway, as after a restart: with no breaker open. */
  reach(given?: { baseUrl?: string; callMilliseconds?: number; now?: () => number }): void;
  /** Called when a payment passes a point. */
  at: (point: CrashPoint) => void;
  run: {
    told: Told[];
    payments: Payment[];
    /** What was logged as an error. */
    errors: LogLine[];
    /** Charges of earlier runs. */
    before: Set<string>;
    mayNeedReview: boolean;
    /** How far the provider's clock was moved ahead. */
    providerAheadSeconds: number;
    figures: Record<string, number>;
  };
  close(): Promise<void>;
};

/** Gives up on silent answers soon, but not so soon that a busy machine counts as silent. */
export const IMPATIENT = { callMilliseconds: 400 };

export const noRun = (): FaultRig['run'] => ({
  told: [],
  payments: [],
  errors: [],
  before: new Set(),
  mayNeedReview: false,
  providerAheadSeconds: 0,
  figures: {},
});

export async function openFaultRig(databaseUrl: string): Promise<FaultRig> {
  const emulator = await startEmulatorProcess();
  const proxy = new ProviderProxy(emulator.url);
  const proxyUrl = await proxy.listen();
  const rig = { emulator, proxy, run: noRun(), at: () => {} } as unknown as FaultRig;

  let provider = openGateways({ baseUrl: proxyUrl });
  const gateways: Gateways = {
    of: (keys) => provider.of(keys),
    admit: (accountId) => provider.admit(accountId),
  };
  rig.reach = (given = {}) => {
    provider = openGateways({ baseUrl: proxyUrl, ...given });
  };
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const now = new Date();
  const log = pino({ level: 'error' }, { write: (line) => rig.run.errors.push(JSON.parse(line)) });
  const given = { clock: () => now, log };
  rig.openPortal = async (url) => {
    const env = testEnv({ DATABASE_URL: url, ...settings });
    const db = openDatabase({ url, poolSize: env.DATABASE_POOL_SIZE });
    const seams = observeSeams({ db, gateways }, (point) => rig.at(point));
    const deps = await openDeps(env, { ...given, ...seams });
    const app = await buildApp(deps);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      portal: { deps, app, now },
      url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    };
  };
  Object.assign(rig, await rig.openPortal(databaseUrl));
  rig.franchises = await makeFranchises(rig.portal, emulator, { accounts: 3 });
  // Compare now, so that the lists a run attacks are those of its own payments.
  await compareAfterRestore(rig.portal.deps);
  rig.customer = await makeCustomer(rig);
  rig.other = await makeCustomer(rig);
  // Release the card checks' own holds before the first run resets the provider.
  await sweepUntilDone(rig.portal.deps);
  rig.close = async () => {
    await closePortal(rig);
    proxy.close();
    await emulator.close();
  };
  return rig;
}

export async function closePortal({ portal }: Pick<FaultRig, 'portal'>): Promise<void> {
  await portal.app.close();
  await portal.deps.db.close();
}

async function makeCustomer({ portal, emulator }: FaultRig): Promise<Customer> {
  const user = await signInUser(portal);
  return { ...user, paymentMethodId: await addCard(portal, emulator, user) };
}

/** Resets what earlier runs left, so that it can't influence this one. */
export async function beginRun(rig: FaultRig): Promise<void> {
  const { portal, emulator, proxy } = rig;
  await heal(rig);
  await emulator.reset();
  await emulator.advanceClock(-rig.run.providerAheadSeconds);
  for (const table of ['engine_clock', 'provider_budget', 'limit_counter']) {
    await portal.deps.db.query.execute(sql`DELETE FROM ${sql.identifier(table)}`);
  }
  // The clock goes back, so a look of before would be younger than this run's charges: refunds would wait for a second one.
  await portal.deps.db.query.execute(sql`UPDATE account_look SET confirm_at = NULL`);
  proxy.calls = [];
  proxy.connections = 0;
  rig.run = noRun();
  rig.run.before = new Set((await chargesOf(portal.deps)).map(({ id }) => id));
}

/** Ends all faults. */
export async function heal(rig: FaultRig): Promise<void> {
  await rig.emulator.clearFaults();
  await rig.emulator.switch({ foldingMode: 'N', rateLimit: false });
  rig.proxy.forgetPlans();
  rig.at = () => {};
  rig.reach();
}

/** Judges books, ledgers and answers, and that no money was requested twice. */
export async function judgeRun({ portal, emulator, proxy, run }: FaultRig): Promise<string[]> {
  const { told, before, mayNeedReview } = run;
  const wrong = await judge({ deps: portal.deps, emulator, told, except: before, mayNeedReview });
  const asked = proxy.calls.flatMap(({ name, orderId }) => (name === 'authonly' && orderId ? [orderId] : []));
  for (const orderId of new Set(asked)) {
    const times = asked.filter((each) => each === orderId).length;
    if (times > 1) wrong.push(`a hold for ${orderId} was asked for ${times} times`);
  }
  return [...wrong, ...(await judgeInvoices(portal, run.payments))];
}

async function judgeInvoices({ deps }: TestApp, payments: Payment[]): Promise<string[]> {
  const ids = sql.param(payments.flatMap(({ invoices }) => invoices.map((each) => each.invoiceId)));
  const { rows } = await deps.db.query.execute<{
    id: number;
    captured: number;
    isDue: boolean;
    live: number;
  }>(sql`
    SELECT i.id, i.balance_cents > 0 AS "isDue",
           (SELECT count(*)::integer FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
             WHERE a.invoice_id = i.id AND c.state = 'captured') AS captured,
           (SELECT count(*)::integer FROM invoice_claim c WHERE c.invoice_id = i.id AND c.state = 'live') AS live
      FROM invoice i WHERE i.id = ANY(${ids}::bigint[])`);
  const mustBePaid = new Set(
    payments
      .filter((each) => each.mustBePaid)
      .flatMap(({ invoices }) => invoices.map((each) => each.invoiceId)),
  );
  return rows.flatMap(({ id, captured, isDue, live }) => [
    ...(captured > 1 ? [`invoice ${id} was captured ${captured} times`] : []),
    ...(mustBePaid.has(id) && (captured !== 1 || isDue) ? [`invoice ${id} was not paid in the end`] : []),
    ...(live > 0 ? [`invoice ${id} is still claimed`] : []),
  ]);
}
