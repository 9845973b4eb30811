import { startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { sql } from 'drizzle-orm';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { CrashProcesses } from '../../../../../apps/api/test/crashes/crash-processes.ts';
import { type TestEmulator, testEmulator } from '../../../../../apps/api/test/emulator.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  addCard,
  makeFranchises,
  type UnpaidInvoice,
} from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type SignedInUser, signInUser } from '../../../../../apps/api/test/factories/users.ts';
import { forgetProvider } from '../../../../../apps/api/test/forget-provider.ts';
import { type RunningMailServer, startMailServer } from '../../../../../apps/api/test/mail/mail-server.ts';
import { OFFICE_SETTINGS } from '../../../../../apps/api/test/office/office-people.ts';
import type { Told } from '../judge.ts';

/** A portal that survives, beside processes of the same portal that die. */
export type CrashRig = {
  portal: TestApp;
  processes: CrashProcesses;
  emulator: TestEmulator;
  mailServer: RunningMailServer;
  franchises: Awaited<ReturnType<typeof makeFranchises>>;
  customer: SignedInUser & { paymentMethodId: string };
  run: {
    told: Told[];
    /** Each of them must be paid exactly once after the run. */
    invoices: UnpaidInvoice[];
    /** Charges of earlier runs. */
    before: Set<string>;
  };
  close(): Promise<void>;
};

const noRun = (): CrashRig['run'] => ({ told: [], invoices: [], before: new Set() });

export async function openCrashRig(databaseUrl: string): Promise<CrashRig> {
  const running = await startEmulator({ delayScale: 0 });
  const emulator = testEmulator(running.url);
  const mailServer = await startMailServer();
  const env = testEnv({
    DATABASE_URL: databaseUrl,
    SMTP_URL: mailServer.url,
    ...OFFICE_SETTINGS,
    ...gatewaySettings(emulator, await emulator.merchant('portal')),
  });
  const portal = { now: new Date() } as TestApp;
  const deps = await openDeps(env, { clock: () => portal.now });
  Object.assign(portal, { deps, app: await buildApp(deps) });
  const processes = new CrashProcesses(portal);
  const user = await signInUser(portal);
  const customer = { ...user, paymentMethodId: await addCard(portal, emulator, user) };
  // Release the card check's own hold before the first run resets the provider.
  await sweepUntilDone(deps);
  const franchises = await makeFranchises(portal, emulator, { accounts: 3 });
  // Compare now, so that no run starts by reading the provider's lists.
  await compareAfterRestore(deps);
  return {
    portal,
    processes,
    emulator,
    mailServer,
    franchises,
    customer,
    run: noRun(),
    async close() {
      await processes.close();
      await portal.app.close();
      await deps.db.close();
      await mailServer.close();
      await running.close();
    },
  };
}

/** Resets what earlier runs left, so that it can't influence this one. */
export async function beginRun(rig: CrashRig): Promise<void> {
  const { portal, emulator, mailServer } = rig;
  await emulator.clearFaults();
  await emulator.reset();
  forgetProvider(portal.deps);
  mailServer.refuseNext(0, 0);
  mailServer.received.length = 0;
  for (const table of ['engine_clock', 'provider_budget', 'limit_counter']) {
    await portal.deps.db.query.execute(sql`DELETE FROM ${sql.identifier(table)}`);
  }
  // The clock goes back, so a look of before would be younger than this run's charges: refunds would wait for a second one.
  await portal.deps.db.query.execute(sql`UPDATE account_look SET confirm_at = NULL`);
  rig.run = { ...noRun(), before: new Set((await chargesOf(portal.deps)).map(({ id }) => id)) };
}
