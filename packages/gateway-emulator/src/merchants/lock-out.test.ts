import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';
import { DEFAULT_SWITCHES } from '../switches.ts';

// After many failed sign-ins the provider locks the host out for an hour, with every merchant's keys.

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

beforeEach(async () => {
  await advance(2 * 60 * 60);
  await control(emulator.url, 'POST', 'switches', { ...DEFAULT_SWITCHES, failedSignInsPerHour: 3 });
});

const advance = (advanceSeconds: number): Promise<unknown> =>
  control(emulator.url, 'POST', 'clock', { advanceSeconds });

/** A call without keys: its error code. */
async function fail(): Promise<unknown> {
  const response = await fetch(`${emulator.url}/api/v2/transactions`);
  return [response.status, ((await response.json()) as { errorcode: number }).errorcode];
}

const list = async () => (await portal.call('GET', '/transactions')).status;

async function failTooOften(): Promise<void> {
  for (const _ of [1, 2, 3, 4]) expect(await fail()).toEqual([401, 0]);
  expect(await fail()).toEqual([401, 10140]);
}

it('the failure beyond the limit locks the address out for an hour, whoever calls from it', async () => {
  await failTooOften();
  expect(await list()).toBe(401);
  await advance(59 * 60);
  expect(await list()).toBe(401);
  await advance(61);
  expect(await list()).toBe(200);
});

it('no payer is locked out', async () => {
  await failTooOften();
  expect(await portal.paymentKey()).toMatch(/./);
});

it('nobody is locked out when the limit is 0', async () => {
  await control(emulator.url, 'POST', 'switches', { failedSignInsPerHour: 0 });
  for (const _ of [1, 2, 3, 4, 5]) expect(await fail()).toEqual([401, 0]);
  expect(await list()).toBe(200);
});
