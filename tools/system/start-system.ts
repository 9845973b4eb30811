import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { API_SERVER, buildApiApart } from '../build-api-apart.ts';
import { startPostgres } from '../machine/embedded-postgres.ts';
import { root } from '../root.ts';
import { portalMerchant } from './merchant-keys.ts';
import { type PartOptions, startPart } from './start-part.ts';
import { type Part, type PartName, supervise } from './supervise.ts';

export type Ports = { portal: number; emulator: number; mailbox: number; smtp: number };

export type SystemOptions = {
  /** Holds the database, the provider's ledger, the mail and the logs. */
  dataDir: string;
  ports: Ports;
  /** The environment of the parts. A part whose setting is in it is not started. */
  settings: NodeJS.ProcessEnv;
  /** False for a system that is thrown away. */
  durable?: boolean;
  /** Where the portal listens when something else answers at its port, and passes calls on. */
  portalBehind?: number;
  /** Is told of every change of what runs, so that a later start can end what a killed one left. */
  onChange?: (parts: Part[]) => void;
};

export type System = {
  portalUrl: string;
  databaseUrl: string;
  /** Undefined where a setting names the real thing. */
  emulatorUrl: string | undefined;
  mailboxUrl: string | undefined;
  logFolder: string;
  /** What the portal was started with; a second one on the same database starts with the same. */
  portalSettings: NodeJS.ProcessEnv;
  /** The first part that ends without being asked to. */
  ended: Promise<PartName>;
  restartPortal(): Promise<void>;
  stop(): Promise<void>;
};

const EMULATOR = join(root, 'packages/gateway-emulator/src/server.ts');
const MAILBOX = join(root, 'node_modules/maildev/bin/maildev');

/** Starts the whole system: the portal, and a stand-in for each outside part that the settings do not name. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir, ports, settings, durable = true, onChange = () => {} } = options;
  const portalPort = options.portalBehind ?? ports.portal;
  const logFolder = join(dataDir, 'logs');
  mkdirSync(logFolder, { recursive: true });
  const supervisor = supervise(onChange);
  const start = (part: Omit<PartOptions, 'logFile'>) =>
    startPart(supervisor, { ...part, logFile: join(logFolder, `${part.name}.log`) });

  const emulatorUrl = settings.USAEPAY_URL ? undefined : `http://127.0.0.1:${ports.emulator}`;
  const mailboxUrl = settings.SMTP_URL ? undefined : `http://127.0.0.1:${ports.mailbox}`;
  const portalUrl = `http://localhost:${ports.portal}`;

  async function openDatabase(): Promise<string> {
    if (settings.DATABASE_URL) return settings.DATABASE_URL;
    const folder = join(dataDir, 'postgres');
    const postgres = await startPostgres({ dataDir: folder, durable });
    supervisor.add({ name: 'postgres', process: postgres.process, marker: folder, stop: postgres.stop });
    supervisor.watch('postgres');
    return postgres.url;
  }

  async function startMailbox(): Promise<Record<string, string>> {
    if (!mailboxUrl) return {};
    const folder = join(dataDir, 'mail');
    mkdirSync(folder, { recursive: true });
    const places = ['--smtp', `${ports.smtp}`, '--web', `${ports.mailbox}`, '--ip', '127.0.0.1'];
    await start({
      name: 'mailbox',
      script: MAILBOX,
      args: [...places, '--mail-directory', folder],
      env: settings,
      readyUrl: `${mailboxUrl}/healthz`,
    });
    return { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` };
  }

  async function startEmulator(): Promise<Record<string, string>> {
    if (!emulatorUrl) return {};
    await start({
      name: 'emulator',
      script: EMULATOR,
      env: {
        ...settings,
        NODE_ENV: 'development',
        EMULATOR_PORT: `${ports.emulator}`,
        EMULATOR_DATA: join(dataDir, 'emulator'),
      },
      readyUrl: `${emulatorUrl}/_emulator/merchants`,
    });
    return portalMerchant(emulatorUrl);
  }

  try {
    const [databaseUrl, mailSettings, providerSettings] = await allOrFirstFailure([
      openDatabase(),
      startMailbox(),
      startEmulator(),
      buildApiApart(),
    ]);
    const portal = {
      name: 'portal' as const,
      script: API_SERVER,
      env: {
        HOST: '127.0.0.1',
        PUBLIC_URL: portalUrl,
        MAIL_FROM: 'Brightpane <portal@brightpane.example>',
        ...settings,
        ...mailSettings,
        ...providerSettings,
        NODE_ENV: 'development',
        PORT: `${portalPort}`,
        DATABASE_URL: databaseUrl,
      },
      readyUrl: `http://127.0.0.1:${portalPort}/api/health/ready`,
    };
    await start(portal);
    return {
      portalUrl,
      databaseUrl,
      emulatorUrl,
      mailboxUrl,
      logFolder,
      portalSettings: portal.env,
      ended: supervisor.ended,
      restartPortal: async () => {
        await buildApiApart();
        await supervisor.stopPart('portal');
        await start(portal);
      },
      stop: supervisor.stopAll,
    };
  } catch (error) {
    await supervisor.stopAll();
    throw error;
  }
}

/** Like `Promise.all`, but waits for all even when one fails, so that what did start can be stopped. */
async function allOrFirstFailure<T extends [...unknown[]]>(
  work: { [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<T>;
}
