import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

process.env.JOURNEYS_OUTPUT ??= resolve(import.meta.dirname, '../test-results', `run-${process.pid}`);

/** Plays in WebKitGTK by its driver: Playwright's own WebKit can't be installed from a package registry. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.webkit.ts',
  outputDir: process.env.JOURNEYS_OUTPUT,
  globalSetup: '../support/global-setup.ts',
  // The driver drives one browser.
  workers: 1,
  forbidOnly: true,
  // Only catches hangs.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
});
