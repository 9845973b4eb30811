import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, card, control, GatewayClient } from '../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from './start-emulator.ts';

interface Delivery {
  signature: string;
  body: string;
  event: Answer;
}

let emulator: RunningEmulator;
let portal: GatewayClient;
let listener: Server;
let deliveries: Delivery[] = [];
/** The statuses of the next answers, then 200. */
let statuses: number[] = [];

beforeAll(async () => {
  listener = createServer(async (request, response) => {
    const body = await text(request);
    deliveries.push({ signature: String(request.headers['x-signature']), body, event: JSON.parse(body) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
});

afterAll(() => listener.close());

beforeEach(async () => {
  deliveries = [];
  statuses = [];
  emulator = await startEmulator({
    webhookUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/events`,
    webhookKey: 'a-secret',
    webhookRetrySeconds: [0.01, 0.01, 0.01],
  });
  portal = await GatewayClient.of(emulator.url);
});

afterEach(() => emulator.close());

const events = (): string[] => deliveries.map(({ event }) => event.event_type);

it('9: a sale is announced in the documented envelope, without its order id', async () => {
  const sold = await portal.run('sale', { amount: '12.00', orderid: 'mine', invoice: '5', ...card() });
  await expect.poll(events).toEqual(['transaction.sale.success']);
  const event = deliveries[0]?.event;
  expect(event).toMatchObject({
    type: 'event',
    event_triggered: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    event_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    event_body: {
      merchant: { merch_key: expect.any(String) },
      object: {
        type: 'transaction',
        key: sold.key,
        refnum: Number(sold.refnum),
        auth_amount: '12.00',
        invoice: '5',
      },
    },
  });
  expect(event.event_body.object).not.toHaveProperty('orderid');
});

it('9: the signature is the HMAC-SHA256 of the raw body in hex', async () => {
  await portal.run('sale', { amount: '1.00', ...card() });
  await expect.poll(() => deliveries.length).toBe(1);
  const [{ body, signature } = { body: '', signature: '' }] = deliveries;
  expect(signature).toBe(createHmac('sha256', 'a-secret').update(body).digest('hex'));
});

it('9: a decline is a failure of 0.00', async () => {
  await portal.run('sale', { amount: '1.00', ...card('4000300611112224') });
  await expect.poll(events).toEqual(['transaction.sale.failure']);
  expect(deliveries[0]?.event.event_body.object).toMatchObject({
    auth_amount: '0.00',
    authcode: '',
    result_code: 'D',
  });
});

it('9: captures, voids, adjustments, refunds and settlements have events of their own', async () => {
  const held = await portal.run('cc:authonly', { amount: '2.00', ...card() });
  await portal.run('cc:capture', { trankey: held.key });
  await portal.run('cc:adjust', { trankey: held.key, amount: '3.00' });
  await portal.run('void', { trankey: held.key });
  await portal.run('unvoid', { trankey: held.key });
  await portal.call('POST', '/batches/current/close');
  const refunded = await portal.run('refund', { trankey: held.key });
  await portal.run('void', { trankey: refunded.key });
  await expect
    .poll(() => events().toSorted())
    .toEqual([
      'settlement.batch.success',
      'transaction.refund.success',
      'transaction.refund.voided',
      'transaction.sale.adjusted',
      'transaction.sale.captured',
      'transaction.sale.success',
      'transaction.sale.unvoided',
      'transaction.sale.voided',
    ]);
});

it('9: resends an event unchanged until it is taken', async () => {
  statuses = [500, 404, 302];
  await portal.run('sale', { amount: '1.00', ...card() });
  await expect.poll(() => deliveries.length).toBe(4);
  expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
});

it('nothing is announced when a fault keeps the call from having an effect', async () => {
  await control(emulator.url, 'POST', 'faults', { fault: 'status', when: 'before' });
  await portal.run('sale', { amount: '1.00', ...card() });
  await portal.run('sale', { amount: '2.00', ...card() });
  await expect.poll(events).toEqual(['transaction.sale.success']);
  expect(deliveries[0]?.event.event_body.object.amount).toBe('2.00');
});
