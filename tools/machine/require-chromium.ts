import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findChromium } from './find-chromium.ts';

const MISSING =
  'There is no Chromium on this machine. Install one ("sudo apt-get install chromium-headless-shell" on Debian, Google Chrome ' +
  'elsewhere, or "npx playwright install chromium"), or set CHROMIUM_PATH to one.';

const run = promisify(execFile);

/** This machine's Chromium; on Debian, root gets it installed. Otherwise throws what to do. */
export async function requireChromium(): Promise<string> {
  const found = findChromium() ?? (await installWithApt());
  if (found === undefined) throw new Error(MISSING);
  return found;
}

async function installWithApt(): Promise<string | undefined> {
  const hasApt = await run('apt-get', ['--version']).then(
    () => true,
    () => false,
  );
  if (process.getuid?.() !== 0 || !hasApt) return undefined;
  process.stdout.write('Installing Chromium…\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = (name: string) =>
    run('apt-get', ['-q', 'install', '--yes', '--no-install-recommends', name], { env });
  try {
    await run('apt-get', ['-q', 'update'], { env });
    // Without windows it uses half the CPU time, but not every release has it.
    await install('chromium-headless-shell').catch(() => install('chromium'));
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message.trim() : cause}\n${MISSING}`, { cause });
  }
  return findChromium();
}
