import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PROGRAMS = ['WebKitWebDriver', 'Xvfb'];
const MISSING =
  'There is no WebKit to drive on this machine: "sudo apt-get install webkit2gtk-driver xvfb" on Debian brings one.';

/** Makes sure that WebKitGTK's driver and a screen for it are there; on Debian, root gets them installed. */
export async function requireWebKit(): Promise<void> {
  if (await areThere()) return;
  if (process.getuid?.() === 0) {
    process.stdout.write('Installing WebKit…\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['-q', 'update'], { env }).catch(() => {});
    await run('apt-get', ['-q', 'install', '--yes', '--no-install-recommends', 'webkit2gtk-driver', 'xvfb'], {
      env,
    }).catch(() => {});
  }
  if (!(await areThere())) throw new Error(MISSING);
}

async function areThere(): Promise<boolean> {
  const found = await Promise.all(
    PROGRAMS.map((program) =>
      run('which', [program]).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}
