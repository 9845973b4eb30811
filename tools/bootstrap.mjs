// Runs before every npm script on the machine's own Node (20 or newer), without any package. Installs the packages if
// they differ from the lockfile.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const lockFolder = join(root, '.data');
const lockFile = join(lockFolder, 'install.lock');

bootstrap();

function bootstrap() {
  if (!isInstalled()) {
    takeLock();
    try {
      // Another run may have installed while this one waited.
      if (!isInstalled()) install();
    } finally {
      rmSync(lockFile, { force: true });
    }
  }
  requireNode24();
}

/** npm keeps a copy of the lockfile for what it installed, without packages for other machines. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  const isCurrent = ([path, { version, optional, devOptional }]) =>
    path === '' || installed[path]?.version === version || (!installed[path] && (optional || devOptional));
  return Object.entries(wanted).every(isCurrent) && Object.keys(installed).every((path) => path in wanted);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Two runs may start at once, and two installs in one folder destroy each other. */
function takeLock() {
  mkdirSync(lockFolder, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The file ${lockFile} cannot be written: ${error.message}`);
    }
    const owner = readOwner();
    if (owner !== undefined && !isRunning(owner)) rmSync(lockFile, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function readOwner() {
  try {
    return Number(readFileSync(lockFile, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function install() {
  process.stdout.write('Installing…\n');
  // Audit results and warnings (an older Node, unreviewed scripts) only matter to people who change packages.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--no-progress',
  ];
  const npm = process.env.npm_execpath;
  const { status, error, stdout, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status === 0) return;
  fail(
    `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n` +
      'Installing the packages failed, for the reason above. "npm ci" tries it again by itself.',
  );
}

function requireNode24() {
  const isOurs = existsSync(
    join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node'),
  );
  if (isOurs || Number(process.versions.node.split('.')[0]) >= 24) return;
  fail(
    `The portal runs on Node 24 or newer. This machine has ${process.versions.node}, and npm carries no Node 24 ` +
      `for ${process.platform} ${process.arch}. Install it from https://nodejs.org, then try again.`,
  );
}

function fail(sentence) {
  process.stderr.write(`${sentence.trim()}\n`);
  process.exit(1);
}
