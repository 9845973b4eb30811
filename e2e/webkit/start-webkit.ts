import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { findFreePort } from '../../tools/machine/find-free-port.ts';

/** A phone's screen; WebKitGTK's window doesn't get narrower than 447 pixels. */
const SIZE = { x: 0, y: 0, width: 450, height: 844 };
const TRIES = 100;

/** Starts a screen, the driver and the browser. What the driver says is kept in the folder. */
export async function startWebKit(folder: string): Promise<{ driver: WebDriver; stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = await findFreePort();
  const service = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${display.toString().trim()}`,
      // Its sandbox doesn't work in many containers, and for root.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, 'webkit.log'));
  service.stdout.pipe(log);
  service.stderr.pipe(log);
  const stop = async () => {
    await end(service);
    await end(screen);
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    await answers(`${url}/status`);
    const driver = await new Builder().usingServer(url).withCapabilities(browser()).build();
    await driver.manage().window().setRect(SIZE);
    return { driver, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function browser(): Capabilities {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().toReversed();
  if (binary === undefined) throw new Error('WebKit’s MiniBrowser is missing.');
  return new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  });
}

async function answers(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (tries === TRIES) throw new Error('The driver of WebKit does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
