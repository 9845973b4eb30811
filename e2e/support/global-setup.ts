import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBrowserApps } from '../../tools/build-web.ts';
import { findFreePort } from '../../tools/machine/find-free-port.ts';
import { isRunning } from '../../tools/machine/running-process.ts';
import { makeThrowAwayFolder, removeLeftOverFolders } from '../../tools/machine/throw-away-folder.ts';
import { root } from '../../tools/root.ts';
import { developmentSecrets } from '../../tools/system/development-secrets.ts';
import { startSystem } from '../../tools/system/start-system.ts';
import { announceSystem } from './system.ts';

/** Starts one whole system for all journeys: the parts of `npm start`, on free ports and an empty database. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await buildBrowserApps();
  await removeLeftOverFolders();
  await removeOldResults();
  const dataDir = await makeThrowAwayFolder();
  const [portal, emulator, mailbox, smtp] = await findFreePorts();
  const secrets = developmentSecrets(dataDir);
  const { PATH, HOME, TMPDIR } = process.env;
  const system = await startSystem({
    dataDir,
    durable: false,
    ports: { portal, emulator, mailbox, smtp },
    // Nothing else of this shell's settings. Each test has its own client address (see `test.ts`), and nobody is turned
    // away, however busy the browsers keep the machine.
    settings: { PATH, HOME, TMPDIR, ...secrets, TRUST_PROXY: '1', MAX_LAG_MILLISECONDS: '0' },
  });
  const { portalUrl, databaseUrl, portalSettings, logFolder, emulatorUrl = '', mailboxUrl = '' } = system;
  const { API_SECRET: apiSecret = '', OFFICE_API_KEY: officeApiKey = '' } = secrets;
  announceSystem({
    portalUrl,
    databaseUrl,
    emulatorUrl,
    mailboxUrl,
    logFolder,
    apiSecret,
    officeApiKey,
    portalSettings,
  });
  return async () => {
    await system.stop();
    await cp(system.logFolder, join(process.env.JOURNEYS_OUTPUT ?? RESULTS, 'logs'), { recursive: true });
    await rm(dataDir, { recursive: true, force: true });
  };
}

const RESULTS = join(root, 'e2e/test-results');

/** Removes results of finished runs; each folder's name ends with its process id. */
async function removeOldResults(): Promise<void> {
  for (const name of await readdir(RESULTS).catch(() => [])) {
    if (!isRunning(Number(/\d+$/.exec(name)?.[0])))
      await rm(join(RESULTS, name), { recursive: true, force: true });
  }
}

async function findFreePorts(): Promise<[number, number, number, number]> {
  return [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()];
}
