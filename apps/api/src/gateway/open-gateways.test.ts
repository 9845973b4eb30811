import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { cents } from '@brightpane/money/cents';
import { describe, expect, onTestFinished, test } from 'vitest';
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

/** The provider behind TLS. Each call has little time, but enough to connect on a busy machine. */
async function openAt(server: ReturnType<typeof createServer>) {
  server.on('connection', (socket) => void onTestFinished(() => void socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return openGateways({ baseUrl: `https://127.0.0.1:${port}`, callMilliseconds: 400 });
}

describe('keys that the provider refuses', () => {
  const REFUSED = { kind: 'not-executed', status: 401 };
  const UNKNOWN_KEY = { status: 401, body: { error: 'Specified source key not found.', errorcode: 23 } };
  const GONE = { status: 404, body: { error: 'not found', errorcode: 20001 } };
  const MINUTE_MILLISECONDS = 60_000;

  /** A provider that answers as it is told, and counts. */
  async function openTold() {
    const told: { status: number; body: object; calls: number } = { ...UNKNOWN_KEY, calls: 0 };
    const server = createHttpServer((request, response) => {
      told.calls += 1;
      request.resume().on('end', () => {
        response.writeHead(told.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(told.body));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    let now = 0;
    const gateways = openGateways({ baseUrl: `http://127.0.0.1:${port}`, now: () => now });
    const find = (account: Parameters<typeof gateways.of>[0] = { id: 7, ...KEYS }) =>
      gateways.of(account).find({ transactionKey: 'a' });
    const findOften = async (times: number) => {
      const outcomes = [];
      for (let call = 0; call < times; call++) outcomes.push(await find());
      return outcomes;
    };
    const pass = (milliseconds: number) => {
      now += milliseconds;
    };
    return { told, gateways, find, findOften, pass };
  }

  test('are tried five times, then once every three minutes, and refused here in between', async () => {
    const { told, findOften, pass } = await openTold();
    expect(await findOften(8)).toEqual(Array(8).fill(REFUSED));
    expect(told.calls).toBe(5);
    for (const calls of [6, 7]) {
      pass(3 * MINUTE_MILLISECONDS);
      expect(await findOften(3)).toEqual(Array(3).fill(REFUSED));
      expect(told.calls).toBe(calls);
    }
  });

  test('send no payment, capture or refund meanwhile: each is known not to have been made', async () => {
    const { told, gateways, findOften } = await openTold();
    await findOften(5);
    const gateway = gateways.of({ id: 7, ...KEYS });
    const time = { millisecondsLeft: () => 1000 };
    const amountCents = cents(100);
    const transactionKey = 'a';
    const authorized = gateway.authorize({
      orderId: 'o',
      amountCents,
      card: { paymentKey: 'k' },
      billing: {},
      description: '',
      ...time,
    });
    expect(
      await Promise.all([
        authorized,
        gateway.capture({ transactionKey, amountCents }),
        gateway.release({ transactionKey, ...time }),
        gateway.void({ transactionKey, releases: false, ...time }),
        gateway.refund({ transactionKey, amountCents, clerk: 'c', ...time }),
        gateway.list({ offset: 0, limit: 10 }),
      ]),
    ).toEqual(Array(6).fill(REFUSED));
    expect(await gateway.makeCardToken({ transactionKey, ...time })).toBeNull();
    expect(told.calls).toBe(5);
  });

  test('are used again by all once one call is answered otherwise', async () => {
    const { told, findOften, pass } = await openTold();
    await findOften(5);
    Object.assign(told, GONE);
    pass(3 * MINUTE_MILLISECONDS);
    expect(await findOften(3)).toEqual(Array(3).fill({ kind: 'not-found' }));
    expect(told.calls).toBe(8);
  });

  test('rest only after refusals in a row, and no failing provider ends or begins a rest', async () => {
    const { told, findOften, pass } = await openTold();
    await findOften(4);
    Object.assign(told, GONE);
    await findOften(1);
    Object.assign(told, UNKNOWN_KEY);
    await findOften(4);
    const failures = [
      { status: 429, body: { error: 'API Rate Limit Exceed', errorcode: 155 } },
      { status: 500, body: { error: 'offline', errorcode: 19 } },
      { status: 401, body: { message: 'a proxy says so' } },
    ];
    for (const failure of failures) {
      Object.assign(told, failure);
      await findOften(2);
    }
    expect(told.calls).toBe(15);
    Object.assign(told, UNKNOWN_KEY);
    await findOften(2);
    expect(told.calls).toBe(16);
    pass(3 * MINUTE_MILLISECONDS);
    Object.assign(told, failures[1]);
    await findOften(2);
    expect(told.calls).toBe(17);
  });

  test('leave alone other accounts, new keys of the same account, and keys that are only tested', async () => {
    const { told, find, findOften } = await openTold();
    await findOften(5);
    Object.assign(told, GONE);
    const others = [
      { id: 8, ...KEYS },
      { id: 7, ...KEYS, apiKey: 'another key' },
      { id: 7, ...KEYS, pin: '5678' },
      { id: 0, ...KEYS, isTested: true } as const,
    ];
    for (const other of others) expect(await find(other)).toEqual({ kind: 'not-found' });
    expect(await find()).toEqual(REFUSED);
  });

  test.each([401, 403])(
    'rest at once where the provider says %s and that it locked us out',
    async (status) => {
      const { told, findOften } = await openTold();
      Object.assign(told, { status, body: { error: 'Locked out', errorcode: 10140 } });
      expect(await findOften(3)).toEqual([{ kind: 'not-executed', status }, REFUSED, REFUSED]);
      expect(told.calls).toBe(1);
    },
  );
});
