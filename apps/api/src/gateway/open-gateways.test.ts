import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openGateways } from './open-gateways.ts';

const KEYS = { apiKey: 'a key', pin: '1234' };

test('keeps the gateway of an account, and none for keys that are only tested', () => {
  const gateways = openGateways({ baseUrl: 'https://provider.example.com' });
  expect(gateways.of({ id: 7, ...KEYS })).toBe(gateways.of({ id: 7, ...KEYS }));
  const tested = { id: 0, ...KEYS, isTested: true } as const;
  expect(gateways.of(tested)).not.toBe(gateways.of(tested));
});

test('lets one payment at a time find out whether a provider answers that takes connections and is silent', async () => {
  const silent = createServer();
  const gateways = await openAt(silent);
  for (let call = 0; call < 5; call++) {
    gateways.admit(7)?.leave();
    expect(await gateways.of({ id: 7, ...KEYS }).find({ transactionKey: 'a' })).toEqual({ kind: 'unknown' });
  }
  const probe = gateways.admit(7);
  expect(probe).not.toBeNull();
  expect(gateways.admit(7)).toBeNull();
});

test('lets every payment ask a provider that refuses connections at once', async () => {
  const gone = createServer();
  const gateways = await openAt(gone);
  await new Promise((closed) => gone.close(closed));
  for (let call = 0; call < 5; call++)
    expect(await gateways.of({ id: 7, ...KEYS }).find({ transactionKey: 'a' })).toEqual({ kind: 'unknown' });
  expect([gateways.admit(7), gateways.admit(7)]).not.toContain(null);
});

/** The provider behind TLS, with little time for each call. */
async function openAt(server: ReturnType<typeof createServer>) {
  server.on('connection', (socket) => void onTestFinished(() => void socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return openGateways({ baseUrl: `https://127.0.0.1:${port}`, callMilliseconds: 100 });
}
