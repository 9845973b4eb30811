import { resolve } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { findChromium } from '../tools/machine/find-chromium.ts';

/** Each run has its own folder, so that runs can go on in parallel. Workers inherit the name. */
process.env.JOURNEYS_OUTPUT ??= resolve(import.meta.dirname, 'test-results', `run-${process.pid}`);

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium. "npm test" says how to get one.');

export default defineConfig({
  testDir: '.',
  outputDir: process.env.JOURNEYS_OUTPUT,
  globalSetup: './support/global-setup.ts',
  fullyParallel: true,
  // One more than the cores of a small machine: a journey waits a fifth of its time.
  workers: 3,
  forbidOnly: true,
  // Only catches hangs: on a very busy machine, a journey of six seconds has taken a minute.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    // Far from every franchise's zone, so that a date shifted by the browser's zone shows.
    timezoneId: 'Pacific/Auckland',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        launchOptions: {
          executablePath,
          args: [
            // Chromium's sandbox doesn't work for root.
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            // Journeys only talk to this machine.
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            // A page lives for seconds: compiling its code further costs more than it wins.
            '--js-flags=--no-sparkplug,--no-maglev,--no-turbofan',
          ],
        },
      },
    },
  ],
});
