import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type TestEmulator, testEmulator } from '../../../../apps/api/test/emulator.ts';

const SERVER = fileURLToPath(new URL('../../../gateway-emulator/src/server.ts', import.meta.url));

/** The card provider's stand-in in a process of its own: its memory and its ledger are not the portal's. */
export async function startEmulatorProcess(): Promise<TestEmulator & { close(): Promise<void> }> {
  const child = spawn(process.execPath, [SERVER], {
    env: { EMULATOR_PORT: '0', EMULATOR_SWITCHES: JSON.stringify({ delayScale: 0 }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // However the process that needs it ends, the emulator ends with it.
  const end = () => child.kill();
  process.once('exit', end);
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const [, url] = /listening on (\S+)/.exec(said) ?? [];
    if (!url) continue;
    return {
      ...testEmulator(url),
      async close() {
        process.off('exit', end);
        end();
        await ended;
      },
    };
  }
  throw new Error(`the emulator did not start: ${said}`);
}
