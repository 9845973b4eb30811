import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBrowserApps, buildOffice } from './build-web.ts';
import { findFreePort } from './machine/find-free-port.ts';
import { parentOf } from './machine/running-process.ts';
import { chooseDataDir } from './system/data-dir.ts';
import { findDemo, loadDemoData } from './system/demo/demo-data.ts';
import type { DevServer } from './system/dev-server.ts';
import { developmentSecrets } from './system/development-secrets.ts';
import {
  endLeftOverParts,
  endsWithin,
  readRunningSystem,
  writeRunningSystem,
} from './system/left-over-parts.ts';
import { makeOfficeLinks } from './system/office-links.ts';
import { lastLines } from './system/start-part.ts';
import { type Ports, type System, startSystem } from './system/start-system.ts';
import { takenPorts } from './system/taken-ports.ts';

/** How long to wait for a start that is being stopped before treating it as running. */
const STOPPING_MILLISECONDS = 2_000;

/** `npm start` and `npm run dev`: runs the whole system on this machine until Ctrl-C. */
async function main(): Promise<void> {
  const { dev } = parseArgs({ options: { dev: { type: 'boolean', default: false } } }).values;
  const dataDir = chooseDataDir(process.env, say);
  const runningFile = join(dataDir, 'running.json');

  const running = readRunningSystem(runningFile);
  if (running && !(await endsWithin(running, STOPPING_MILLISECONDS))) {
    fail(`Brightpane runs already, at ${running.portalUrl} (process ${running.starterPid}).`);
  }
  await endLeftOverParts(runningFile);

  const ports = readPorts();
  const taken = await takenPorts(neededPorts(ports));
  if (taken.length > 0) fail(taken.join('\n'));
  const portalUrl = `http://localhost:${ports.portal}`;
  writeRunningSystem(runningFile, { starterPid: process.pid, portalUrl, parts: [] });

  try {
    await runUntilStopped({ dataDir, ports, dev, portalUrl, runningFile });
  } finally {
    await endLeftOverParts(runningFile);
  }
}

async function runUntilStopped(options: {
  dataDir: string;
  ports: Ports;
  dev: boolean;
  portalUrl: string;
  runningFile: string;
}): Promise<void> {
  const { dataDir, ports, dev, portalUrl, runningFile } = options;
  const stopped = untilStopped();
  const settings = { ...developmentSecrets(dataDir), ...given(process.env) };
  say(dev ? 'Starting, with reload…' : 'Starting…');
  await (dev ? buildOffice() : buildBrowserApps());
  const system = await startSystem({
    dataDir,
    ports,
    settings,
    ...(dev && { portalBehind: await findFreePort() }),
    onChange: (running) => {
      const parts = running.flatMap(({ name, process: { pid }, marker }) =>
        pid ? [{ name, pid, marker }] : [],
      );
      writeRunningSystem(runningFile, { starterPid: process.pid, portalUrl, parts });
    },
  });
  let devServer: DevServer | undefined;
  try {
    if (dev) {
      // Loaded only here: a plain start doesn't need Vite's memory.
      const { startDevServer } = await import('./system/dev-server.ts');
      devServer = await startDevServer(system, ports.portal, say);
    }
    const { API_SECRET: apiSecret = '', OFFICE_API_KEY: officeApiKey = '' } = settings;
    await loadDemoData(system, { apiSecret, officeApiKey });
    await introduce(system, officeApiKey);
    const ended = await Promise.race([stopped, system.ended]);
    if (ended !== 'asked') {
      const log = lastLines(join(system.logFolder, `${ended}.log`));
      throw new Error(`The ${ended} ended by itself, so everything is stopped. Its last words:\n${log}`);
    }
    say('Stopping…');
  } finally {
    // Parts first, so that nothing keeps running if Vite waits for an open page.
    await system.stop();
    await devServer?.close();
  }
}

/**
 * Resolves on Ctrl-C, on a signal, or when the npm that started us is gone: killing npm may end only npm and its shell,
 * without telling us.
 */
function untilStopped(): Promise<'asked'> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done('asked'));
    if (process.env.npm_lifecycle_event === undefined) return;
    const shell = process.ppid;
    const npm = parentOf(shell);
    setInterval(() => {
      if (process.ppid !== shell || parentOf(shell) !== npm) done('asked');
    }, 300).unref();
  });
}

function readPorts(): Ports {
  const port = (setting: string, fallback: number) => {
    const value = Number(process.env[setting] || fallback);
    if (!Number.isInteger(value) || value < 1 || value > 65_535) fail(`${setting} is not a port.`);
    return value;
  };
  return {
    portal: port('PORT', 3000),
    emulator: port('EMULATOR_PORT', 3001),
    mailbox: port('MAILBOX_PORT', 3002),
    smtp: port('SMTP_PORT', 3025),
  };
}

function neededPorts(ports: Ports): { port: number; setting: string }[] {
  const { USAEPAY_URL, SMTP_URL } = process.env;
  return [
    { port: ports.portal, setting: 'PORT' },
    ...(USAEPAY_URL ? [] : [{ port: ports.emulator, setting: 'EMULATOR_PORT' }]),
    ...(SMTP_URL
      ? []
      : [
          { port: ports.mailbox, setting: 'MAILBOX_PORT' },
          { port: ports.smtp, setting: 'SMTP_PORT' },
        ]),
  ];
}

/** Empty settings count as missing, as in `.env.example`. */
function given(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

async function introduce(system: System, officeApiKey: string): Promise<void> {
  const { invoice, signIn } = await findDemo(system.databaseUrl);
  const lines: [string, string | undefined][] = [
    ['Portal', system.portalUrl],
    ['Sign in', signIn && `${signIn.email}, password "${signIn.password}"`],
    [
      'Look up',
      invoice &&
        `franchise ${invoice.franchiseId}, work order ${invoice.workOrderNumber}, zip ${invoice.zipCode}`,
    ],
    ...(await makeOfficeLinks({ portalUrl: system.portalUrl, officeApiKey })),
    ['Card', system.emulatorUrl && '4000 1000 1111 2224, any later expiration, any CVV'],
    ['Mailbox', system.mailboxUrl],
    ['Provider', system.emulatorUrl && `${system.emulatorUrl} (a stand-in)`],
    ['Logs', system.logFolder],
    ['Errors', process.env.SENTRY_DSN ? 'reported to SENTRY_DSN' : 'not reported (SENTRY_DSN is not set)'],
  ];
  const shown = lines.filter(([, value]) => value !== undefined);
  say(
    `\nBrightpane is running.\n\n${shown.map(([name, value]) => `  ${name.padEnd(10)}${value}`).join('\n')}\n`,
  );
  say('Ctrl-C stops everything.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
