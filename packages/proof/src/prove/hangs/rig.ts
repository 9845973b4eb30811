import { buildApp } from '../../../../../apps/api/src/app.ts';
import { lookAtAccounts } from '../../../../../apps/api/src/modules/payments/restore/look-at-accounts.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { startMailServer } from '../../../../../apps/api/test/mail/mail-server.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { type PortalProcess, startPortalProcess } from '../instances/portal-process.ts';
import { ProviderProxy } from '../provider-faults/network/provider-proxy.ts';
import { makePeople, type People } from '../races/people.ts';
import { SilentDoor, SilentReporter } from './silent-door.ts';

/** A deployed portal process and all of its dependencies, each of which can hang. */
export type HangsRig = People & {
  /** This run's process. */
  portal: PortalProcess;
  metricsPort: number;
  startPortal(): Promise<void>;
  mail: SilentDoor;
  /** How many rounds of load the hour of hanging has. */
  rounds: number;
  /** How many mails have arrived. */
  received: () => number;
  provider: ProviderProxy;
  reporter: SilentReporter;
  /** Ends all hangs. */
  answerAgain(): void;
  /** Of the last run. */
  figures: Record<string, number>;
  close(): Promise<void>;
};

export async function openHangsRig(databaseUrl: string, { rounds = 12 } = {}): Promise<HangsRig> {
  const { findFreePort } = await import('../../../../../tools/machine/find-free-port.ts');
  const emulator = await startEmulatorProcess();
  const mailServer = await startMailServer();
  const mail = new SilentDoor(Number(new URL(mailServer.url).port));
  const provider = new ProviderProxy(emulator.apiUrl);
  const reporter = new SilentReporter();
  const [mailPort, providerUrl, reporterPort] = [
    await mail.listen(),
    await provider.listen(),
    await reporter.listen(),
  ];
  const env = testEnv({
    DATABASE_URL: databaseUrl,
    ...gatewaySettings(emulator, await emulator.merchant('portal')),
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
  });
  const deps = await openDeps(env);
  const healthy = { deps, app: await buildApp(deps), now: new Date() };
  const metricsPort = await findFreePort();
  const people = await makePeople([healthy], { emulator, count: 1 });
  // An account takes payments only once its list was read, which must not depend on when the list begins to hang.
  await lookAtAccounts(deps, { franchiseIds: null, patience: 'payer' });
  const rig: HangsRig = Object.assign(people, {
    portal: undefined as unknown as PortalProcess,
    metricsPort,
    async startPortal() {
      rig.portal = await startPortalProcess(env, {
        settings: {
          USAEPAY_URL: providerUrl,
          SENTRY_DSN: `http://key@127.0.0.1:${reporterPort}/1`,
          METRICS_PORT: String(metricsPort),
        },
      });
    },
    mail,
    rounds,
    received: () => mailServer.received.length,
    provider,
    reporter,
    answerAgain() {
      mail.isShut = false;
      provider.hangs = () => false;
      reporter.isSilent = false;
    },
    figures: {},
    async close() {
      await healthy.app.close();
      await deps.db.close();
      mail.close();
      provider.close();
      reporter.close();
      await mailServer.close();
      await emulator.close();
    },
  });
  return rig;
}
