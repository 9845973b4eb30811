import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { findFreePort } from '../../tools/machine/find-free-port.ts';
import { requireChromium } from '../../tools/machine/require-chromium.ts';
import { makeThrowAwayFolder } from '../../tools/machine/throw-away-folder.ts';
import { systemUnderTest } from '../support/system.ts';

/** A browser that Lighthouse shares, with the same storage: signing in here signs in there. */
export type BenchBrowser = { context: BrowserContext; debuggingPort: number; close(): Promise<void> };

export async function openBrowser(): Promise<BenchBrowser> {
  const folder = await makeThrowAwayFolder();
  const debuggingPort = await findFreePort();
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await requireChromium(),
    baseURL: systemUnderTest().portalUrl,
    args: [
      `--remote-debugging-port=${debuggingPort}`,
      // Chromium's sandbox doesn't work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
  return {
    context,
    debuggingPort,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
