import { startEmulator } from './start-emulator.ts';
import { readSwitches } from './switches.ts';

if (process.env.NODE_ENV === 'production') {
  process.stderr.write('gateway-emulator refuses to run with NODE_ENV=production: it takes no real money.\n');
  process.exit(1);
}

const port = Number(process.env.EMULATOR_PORT ?? 3001);
const host = process.env.EMULATOR_HOST ?? '127.0.0.1';
const dataDir = process.env.EMULATOR_DATA;

const switches = readSwitches(JSON.parse(process.env.EMULATOR_SWITCHES ?? '{}'));
if (typeof switches === 'string') {
  process.stderr.write(`gateway-emulator: EMULATOR_SWITCHES: ${switches}\n`);
  process.exit(1);
}

const emulator = await startEmulator({ port, host, ...(dataDir ? { dataDir } : {}), ...switches });
process.stdout.write(`gateway-emulator listening on ${emulator.url}\n`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await emulator.close();
    process.exit(0);
  });
}
