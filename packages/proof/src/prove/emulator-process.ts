import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type TestEmulator, testEmulator } from '../../../../apps/api/test/emulator.ts';
import { COMPILED_SOURCES } from '../../../../tools/machine/compiled-sources.ts';

const SERVER = fileURLToPath(new URL('../../../gateway-emulator/src/server.ts', import.meta.url));

/** The emulator in its own process, so that neither memory nor ledger is the portal's. */
export async function startEmulatorProcess(): Promise<TestEmulator & { close(): Promise<void> }> {
  const child = spawn(process.execPath, [SERVER], {
    env: {
      EMULATOR_PORT: '0',
      EMULATOR_SWITCHES: JSON.stringify({ delayScale: 0 }),
      NODE_COMPILE_CACHE: COMPILED_SOURCES,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // Ends with the process that needs it, however that one ends.
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
