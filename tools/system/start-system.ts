import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { API_SERVER, buildApiApart, SERVER_OPTIONS } from '../build-api-apart.ts';
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
  /** The parts' environment. A part that a setting replaces isn't started. */
  settings: NodeJS.ProcessEnv;
  /** False for a throw-away system. */
  durable?: boolean;
  /** The portal's port if a proxy answers at its public one. */
  portalBehind?: number;
  /** Called with every change of the running parts, so that a later start can end what a killed one left. */
  onChange?: (parts: Part[]) => void;
};

export type System = {
  portalUrl: string;
  databaseUrl: string;
  /** Undefined if a setting names the real one. */
  emulatorUrl: string | undefined;
  mailboxUrl: string | undefined;
  logFolder: string;
  /** The portal's environment; a second portal on the same database needs the same. */
  portalSettings: NodeJS.ProcessEnv;
  /** The first part that ends unasked. */
  ended: Promise<PartName>;
  restartPortal(): Promise<void>;
  stop(): Promise<void>;
};

const EMULATOR = join(root, 'packages/gateway-emulator/src/server.ts');
const MAILBOX = join(root, 'node_modules/maildev/bin/maildev');

/** Starts the whole system: the portal, and a stand-in for each external part that the settings don't name. */
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
      options: SERVER_OPTIONS,
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

/** Like `Promise.all`, but waits for all even if one fails, so that whatever started can be stopped. */
async function allOrFirstFailure<T extends [...unknown[]]>(
  work: { [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<T>;
}
