import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { card, control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';
import { DEFAULT_SWITCHES } from '../switches.ts';

// The provider resets connections of an address that lists too often for about an hour, without a 429.

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

beforeEach(async () => {
  await advance(2 * 60 * 60);
  await control(emulator.url, 'POST', 'switches', { ...DEFAULT_SWITCHES, listingsPerHour: 3 });
});

const advance = (advanceSeconds: number): Promise<unknown> =>
  control(emulator.url, 'POST', 'clock', { advanceSeconds });

/** A listing's status, or the error of its connection. */
const list = (): Promise<number | string> =>
  portal.call('GET', '/transactions').then(
    ({ status }) => status,
    () => 'cut off',
  );

async function listTooOften(): Promise<void> {
  for (const _ of [1, 2, 3]) expect(await list()).toBe(200);
  expect(await list()).toBe('cut off');
}

it('the listing beyond the limit is cut off, and every one for an hour', async () => {
  await listTooOften();
  await advance(59 * 60);
  expect(await list()).toBe('cut off');
  await advance(61);
  await listTooOften();
});

it('listings of an hour ago do not count', async () => {
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    expect(await list()).toBe(200);
    await advance(30 * 60);
  }
});

it('other calls are answered', async () => {
  await listTooOften();
  expect(await portal.run('cc:authonly', { amount: '1.00', ...card() })).toMatchObject({ result_code: 'A' });
});

it('by switch every call with a secret key is cut off, but no payer', async () => {
  await control(emulator.url, 'POST', 'switches', { cutsOffEveryCall: true });
  await listTooOften();
  await expect(portal.run('cc:authonly', { amount: '1.00', ...card() })).rejects.toThrow();
  expect(await portal.paymentKey()).toMatch(/./);
});

it('nobody is cut off when the limit is 0', async () => {
  await control(emulator.url, 'POST', 'switches', { listingsPerHour: 0 });
  for (const _ of [1, 2, 3, 4, 5]) expect(await list()).toBe(200);
});
