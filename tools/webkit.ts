import { join } from 'node:path';
import { buildBrowserApps } from './build-web.ts';
import { runProgram, stopProgress } from './checks/run-step.ts';
import { requireWebKit } from './machine/require-webkit.ts';
import { root } from './root.ts';

/** `npm run webkit`: plays the main flows in WebKit, which iPhones have. Other arguments go to Playwright. */
process.once('SIGINT', () => stopProgress());
process.once('SIGTERM', () => stopProgress('SIGINT'));

await requireWebKit();
await buildBrowserApps();
const { code, output } = await runProgram(
  'playwright',
  ['test', '-c', join(root, 'e2e/webkit'), ...process.argv.slice(2)],
  { ...process.env, FORCE_COLOR: '0' },
);
process.stdout.write(output);
process.exitCode = code ?? 1;
