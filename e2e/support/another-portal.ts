import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Status } from '@brightpane/contract/office';
import { API_SERVER, SERVER_OPTIONS } from '../../tools/build-api-apart.ts';
import { findFreePort } from '../../tools/machine/find-free-port.ts';
import { systemUnderTest } from './system.ts';

/** `stop` asks it to end and returns its exit code. */
export type AnotherPortal = { url: string; pid: number; stop: () => Promise<number | null> };

/** Starts another portal beside the system under test, on the same database, with its own settings. */
export async function startAnotherPortal(
  settings: Record<string, string> | ((address: { port: number }) => Record<string, string>),
  { logFile }: { logFile?: string } = {},
): Promise<AnotherPortal> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = typeof settings === 'function' ? settings({ port }) : settings;
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'w', 0o600);
  const portal = spawn(process.execPath, [...SERVER_OPTIONS, API_SERVER], {
    env: { ...systemUnderTest().portalSettings, PORT: `${port}`, PUBLIC_URL: url, ...own },
    stdio: ['ignore', log, typeof log === 'number' ? log : 'pipe'],
  });
  if (typeof log === 'number') closeSync(log);
  let said = '';
  portal.stderr?.on('data', (text) => {
    said += text;
  });
  // So that an aborted test leaves no process behind.
  process.once('exit', () => portal.kill());
  const ended = once(portal, 'exit');
  const isReady = () =>
    fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (portal.exitCode !== null) throw new Error(`another portal ended with ${portal.exitCode}: ${said}`);
    await wait(50);
  }
  // At an address of its own it takes payments once it has read the provider's lists; journeys share how often they may be.
  const { portalUrl } = systemUnderTest();
  while ((await countClosed(url)) > (await countClosed(portalUrl))) await wait(200);
  return {
    url,
    pid: portal.pid ?? 0,
    stop: async () => {
      portal.kill('SIGTERM');
      await ended;
      return portal.exitCode;
    },
  };
}

/** The merchant accounts at which a portal takes no payments yet. */
async function countClosed(portalUrl: string): Promise<number> {
  const headers = { authorization: `Bearer ${systemUnderTest().officeApiKey}` };
  const answer = await fetch(`${portalUrl}/api/office/status`, { headers });
  const { payments } = (await answer.json()) as Status;
  return payments.closedAccounts;
}
