import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { TEST_SECRETS } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale } from '../../../../test/factories/payments/payments.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { buildApp } from '../../../app.ts';

const { emulator, portal, expectBalanced } = usePayments();

test('finishes a begun payment before the server closes, though its payer has left', async () => {
  const made = await makeInvoice(portal.deps.db.query);
  const origin = await portal.app.listen({ host: '127.0.0.1', port: 0 });
  const goOn = await emulator.hold();
  const leaving = new AbortController();
  const paying = fetch(`${origin}/api/usaepay/guestsale`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-apisecret': TEST_SECRETS.apiSecret },
    body: JSON.stringify(await guestSale(emulator, made)),
    signal: leaving.signal,
  }).catch(() => null);
  await expect.poll(async () => (await chargesOf(portal.deps)).at(-1)?.state).toBe('authorising');
  leaving.abort();
  expect(await paying).toBeNull();

  const closed = portal.app.close();
  await goOn();
  await closed;
  expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('accepted');
  await sweep(portal.deps);
  await expectBalanced();
});

test('answers a request that arrives while the server closes', async () => {
  const closing = await buildApp(portal.deps);
  await closing.listen({ host: '127.0.0.1', port: 0 });
  const arrived = once(closing.server, 'connection');
  const client = net.connect((closing.server.address() as net.AddressInfo).port, '127.0.0.1');
  const [socket] = (await arrived) as [net.Socket];
  client.write('GET /api/health/live HTTP/1.1\r\nhost: portal\r\n');
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
  const closed = closing.close();
  await expect.poll(() => closing.server.listening).toBe(false);
  client.write('\r\n');
  const chunks: Buffer[] = await client.toArray();
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i);
  await closed;
});
