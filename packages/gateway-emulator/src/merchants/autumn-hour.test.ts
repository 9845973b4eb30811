import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, card, control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';

// The merchant's times have no offset, so an hour repeats in autumn.

const HOUR_MILLISECONDS = 60 * 60 * 1000;

/** The start of Los Angeles' next repeated hour. */
function nextRepeatedHour(): number {
  const offsetAt = (time: number): number => {
    const wallClock = new Date(time).toLocaleString('sv-SE', { timeZone: 'America/Los_Angeles' });
    return Date.parse(`${wallClock.replace(' ', 'T')}Z`) - time;
  };
  let time = Math.ceil(Date.now() / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
  while (offsetAt(time + HOUR_MILLISECONDS) >= offsetAt(time)) time += HOUR_MILLISECONDS;
  return time;
}

let emulator: RunningEmulator;
let portal: GatewayClient;
let keys: string[];

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
  const advanceSeconds = (nextRepeatedHour() + HOUR_MILLISECONDS / 2 - Date.now()) / 1000;
  await control(emulator.url, 'POST', 'clock', { advanceSeconds });
  keys = [];
  for (const seconds of [0, HOUR_MILLISECONDS / 1000 - 600]) {
    await control(emulator.url, 'POST', 'clock', { advanceSeconds: seconds });
    const creditcard = { ...(card().creditcard as object), expiration: '1240' };
    keys.unshift((await portal.run('cc:authonly', { amount: '1.00', creditcard })).key);
  }
});

afterAll(() => emulator.close());

beforeEach(() => control(emulator.url, 'POST', 'switches', { listOrder: 'arrival' }));

it('the newest row of a list shows an earlier time than the row before it', async () => {
  const { data } = await portal.get('/transactions');
  expect(data.map(({ key }: Answer) => key)).toEqual(keys);
  expect(data[0].created < data[1].created).toBe(true);
});

it('a switch sorts the list by wall clock instead', async () => {
  await control(emulator.url, 'POST', 'switches', { listOrder: 'wall-clock' });
  const { data } = await portal.get('/transactions');
  expect(data.map(({ key }: Answer) => key)).toEqual(keys.toReversed());
});
