import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { cents } from '@brightpane/money/cents';
import { beforeEach, describe, expect, test } from 'vitest';
import { useEmulator } from '../../../test/emulator.ts';
import { countDown } from '../count-down.ts';
import type { AuthorizeRequest, PaymentGateway } from '../payment-gateway.ts';
import { createUsaepayGateway } from './usaepay-gateway.ts';

const emulator = useEmulator();
let gateway: PaymentGateway;
let orders = 0;

const AS_IT_STARTS = {
  avsWithoutAddress: '',
  secondCapture: 'refused',
  declineLetters: true,
  releasedAuthorizationType: 'V',
  rowTime: 'created',
  listingsPerHour: 0,
};

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.switch(AS_IT_STARTS);
  gateway = createUsaepayGateway({ baseUrl: emulator.apiUrl, keys: await emulator.merchant('portal') });
});

async function request(
  overrides: Partial<AuthorizeRequest> & { number?: string } = {},
): Promise<AuthorizeRequest> {
  const { number, ...rest } = overrides;
  return {
    orderId: `order-${++orders}`,
    amountCents: cents(12_34),
    card: { paymentKey: await emulator.mintPaymentKey(number ? { card: number } : {}) },
    billing: { firstName: 'Ana', lastName: 'Ruiz', street: 'Maple Street 12', postalCode: '62704' },
    invoice: '1001',
    description: 'Franchise 1 work order 1001',
    millisecondsLeft: countDown(2_000),
    ...rest,
  };
}

const rowOf = async (orderId: string) => (await emulator.ledger()).filter((row) => row.orderid === orderId);

describe('an authorization', () => {
  test('that is approved holds the amount, and returns key, reference and masked card', async () => {
    const asked = await request();
    const outcome = await gateway.authorize(asked);
    const [row] = await rowOf(asked.orderId);
    expect(outcome).toEqual({
      kind: 'approved',
      transactionKey: row?.key,
      reference: row?.refnum,
      maskedCard: 'xxxx2224',
      cardBrand: 'Visa',
      savedCard: null,
    });
    expect(row).toMatchObject({ amount: '12.34', trantype_code: 'A', status_code: 'P' });
  });

  test('that echoes our order id and currency is approved', async () => {
    const asked = await request();
    await emulator.script({ fault: 'wrong', answer: { orderid: asked.orderId, currency: '840' } });
    expect((await gateway.authorize(asked)).kind).toBe('approved');
  });

  test('that saves the card returns a token, which can pay by itself', async () => {
    const first = await gateway.authorize(await request({ saveCard: true }));
    if (first.kind !== 'approved' || !first.savedCard) throw new Error('no saved card');
    expect(first.savedCard.expiresMonth).toBe('2030-12-01');
    const again = await gateway.authorize(await request({ card: { cardToken: first.savedCard.token } }));
    expect(again.kind).toBe('approved');
    const remade = await gateway.makeCardToken({
      transactionKey: first.transactionKey,
      millisecondsLeft: countDown(2_000),
    });
    expect(remade).toMatch(/^[a-z0-9-]{16,}$/);
  });

  test('gets no token from a provider that does not answer in time', async () => {
    const first = await gateway.authorize(await request({ saveCard: true }));
    if (first.kind !== 'approved') throw new Error(first.kind);
    await emulator.script({ fault: 'hang', command: 'tokens' });
    // Only the answer is cut short: connecting may take longer on a busy machine.
    let left = 10_000;
    const onProgress = () => {
      left = 300;
    };
    const asked = { transactionKey: first.transactionKey, millisecondsLeft: () => left, onProgress };
    expect(await gateway.makeCardToken(asked)).toBeNull();
    expect(left).toBe(300);
  });

  test.each(['NNN', '   '])('by a saved card is approved though its address is %j', async (code) => {
    const first = await gateway.authorize(await request({ saveCard: true }));
    if (first.kind !== 'approved' || !first.savedCard) throw new Error('no saved card');
    await emulator.switch({ avsWithoutAddress: code });
    const card = { cardToken: first.savedCard.token };
    expect((await gateway.authorize(await request({ card, billing: {} }))).kind).toBe('approved');
  });

  test.each([
    ['4000300611112224', 'Insufficient funds (F51).'],
    ['4000300211112228', 'Do not Honor (F05).'],
    ['4000301311112225', 'Declined for CVV failure (F97).'],
  ])('on the declined card %s returns the provider’s words', async (number, sentence) => {
    expect(await gateway.authorize(await request({ number }))).toEqual({ kind: 'declined', sentence });
  });

  test('returns a decline without the letter of its code', async () => {
    await emulator.switch({ declineLetters: false });
    expect(await gateway.authorize(await request({ number: '4000300611112224' }))).toEqual({
      kind: 'declined',
      sentence: 'Insufficient funds (51).',
    });
  });

  test('with a used payment key is declined', async () => {
    const asked = await request();
    await gateway.authorize(asked);
    expect(await gateway.authorize({ ...asked, orderId: 'again' })).toEqual({
      kind: 'declined',
      sentence: 'Invalid payment key.',
    });
  });

  test('in words that are not on our list is declined without them', async () => {
    await emulator.script({
      fault: 'wrong',
      answer: { result_code: 'D', error: 'host db01 said <b>no</b>' },
    });
    expect(await gateway.authorize(await request())).toEqual({
      kind: 'declined',
      sentence: 'The card was declined.',
    });
  });

  test.each([
    [{ fault: 'partial' }, { kind: 'hold-possible', reason: 'not-in-full' }],
    [{ fault: 'verify' }, { kind: 'hold-possible', reason: 'verification' }],
    [{ fault: 'error' }, { kind: 'hold-possible', reason: 'verification' }],
    [
      { fault: 'wrong', answer: { auth_amount: '12.33' } },
      { kind: 'hold-possible', reason: 'not-in-full' },
    ],
    [{ fault: 'wrong', answer: { auth_amount: 12.34 } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { auth_amount: null } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { key: '' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { refnum: null } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { refnum: '12\u00003' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { refnum: '12\ud800' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { key: 'k'.repeat(501) } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { is_duplicate: null } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { orderid: '\u0000' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { currency: { toString: 1 } } }, { kind: 'unknown' }],
    [
      // A key that can't be kept is still the key of a transaction.
      { fault: 'wrong', answer: { key: '\u0000', result_code: 'E', error_code: 11, error: 'no' } },
      { kind: 'unknown' },
    ],
    [{ fault: 'wrong', answer: { result_code: 'X' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { currency: '978' } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { currency: 978 } }, { kind: 'unknown' }],
    [{ fault: 'wrong-orderid' }, { kind: 'unknown' }],
    [
      { fault: 'wrong', answer: { orderid: 'another', result_code: 'D', error: 'Insufficient funds' } },
      { kind: 'unknown' },
    ],
    [
      { fault: 'wrong', answer: { key: '', result_code: 'E', error_code: 80 } },
      { kind: 'unknown', isNotAllowed: true },
    ],
    [
      { fault: 'wrong', answer: { key: '', result_code: 'E', error_code: 84 } },
      { kind: 'unknown', isNotAllowed: true },
    ],
    [{ fault: 'duplicate' }, { kind: 'duplicate' }],
    [{ fault: 'duplicate-other' }, { kind: 'duplicate' }],
    [
      { fault: 'status', status: 401 },
      { kind: 'not-executed', status: 401 },
    ],
    [
      { fault: 'status', status: 403 },
      { kind: 'not-executed', status: 403 },
    ],
    [
      { fault: 'status', status: 429 },
      { kind: 'not-executed', status: 429 },
    ],
    [{ fault: 'status', status: 429, body: 'slow down' }, { kind: 'unknown' }],
    [{ fault: 'status', status: 500, when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'html', status: 503 }, { kind: 'unknown' }],
    [{ fault: 'redirect' }, { kind: 'unknown' }],
    [{ fault: 'reset', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'truncate', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'bad-json', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'empty', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'null', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'array', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'bom', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'duplicate-keys', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'number-strings', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'nan', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'oversized', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'gzip-bomb', when: 'after' }, { kind: 'unknown' }],
  ])('answered with %j is %j', async (fault, expected) => {
    await emulator.script(fault);
    expect(await gateway.authorize(await request())).toEqual(expected);
  });

  test.each(['key', 'error_code', 'orderid'])(
    'answered with more levels in %s than the stack holds is unknown',
    async (name) => {
      const body = `{"result_code":"A","${name}":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      await emulator.script({ fault: 'status', status: 200, body });
      expect(await gateway.authorize(await request())).toEqual({ kind: 'unknown' });
    },
  );

  test.each([[{ fault: 'hang' }], [{ fault: 'slow-bytes' }], [{ fault: 'slow-headers' }]])(
    'answered with %j times out, and is unknown',
    async (fault) => {
      await emulator.script(fault);
      // Only the answer is cut short: connecting may take longer on a busy machine.
      let left = 10_000;
      const onProgress = () => {
        left = 300;
      };
      const outcome = await gateway.authorize(await request({ millisecondsLeft: () => left, onProgress }));
      expect(outcome).toEqual({ kind: 'unknown' });
    },
  );

  test('whose time is up when the socket opens writes nothing', async () => {
    let left = 1_000;
    const asked = await request({
      millisecondsLeft: () => left,
      onProgress: () => {
        left = 0;
      },
    });
    expect(await gateway.authorize(asked)).toEqual({ kind: 'not-sent' });
    expect(await rowOf(asked.orderId)).toEqual([]);
  });
});

test.each([
  ['a port where nobody listens', 'http://127.0.0.1:1/api/v2'],
  ['a host without an address', 'https://gateway.invalid/api/v2'],
])('to %s sends nothing', async (_, baseUrl) => {
  const nowhere = createUsaepayGateway({ baseUrl, keys: { apiKey: 'a', pin: 'b' } });
  expect(await nowhere.authorize(await request())).toEqual({ kind: 'not-sent' });
});

test('a server that speaks no TLS gets nothing of an https call', async () => {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('data', (data) => {
      heard.push(data.toString('latin1'));
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const secure = createUsaepayGateway({
    baseUrl: `https://127.0.0.1:${port}/api/v2`,
    keys: { apiKey: 'a', pin: 'b' },
  });
  expect(await secure.authorize(await request())).toEqual({ kind: 'not-sent' });
  expect(heard.join('')).not.toContain('authonly');
  server.close();
});

test('keys never travel in the clear beyond this machine', () => {
  const open = (baseUrl: string) => () => createUsaepayGateway({ baseUrl, keys: { apiKey: 'a', pin: 'b' } });
  expect(open('http://gateway.example.com/api/v2')).toThrow('must be https');
  expect(open('https://gateway.example.com/api/v2')).not.toThrow();
});

test('sends a call once, even if its connection breaks, and never with email or ignore_duplicate', async () => {
  const bodies: string[] = [];
  const sockets = new Set<unknown>();
  const server = createServer((incoming, response) => {
    sockets.add(incoming.socket);
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      bodies.push(body);
      // Closing without an answer tempts clients into a retry.
      response.socket?.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const counted = createUsaepayGateway({
    baseUrl: `http://127.0.0.1:${port}`,
    keys: { apiKey: 'a', pin: 'b' },
  });
  expect(await counted.authorize(await request())).toEqual({ kind: 'unknown' });
  expect(await counted.authorize(await request())).toEqual({ kind: 'unknown' });
  expect(bodies).toHaveLength(2);
  expect(sockets.size).toBe(2);
  for (const body of bodies) expect(Object.keys(JSON.parse(body))).not.toContain('email');
  expect(bodies.join('')).not.toContain('ignore_duplicate');
  server.close();
});

describe('a hold', () => {
  async function hold() {
    const asked = await request();
    const outcome = await gateway.authorize(asked);
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    return { ...asked, transactionKey: outcome.transactionKey };
  }

  test('is captured once, and a second capture says that it cannot be', async () => {
    const held = await hold();
    expect(await gateway.capture(held)).toEqual({ kind: 'captured' });
    expect((await gateway.capture(held)).kind).not.toBe('captured');
    const found = await gateway.find(held);
    expect(found).toMatchObject({ kind: 'found', transaction: { state: 'captured', orderId: held.orderId } });
  });

  test('is captured again if the provider says so, and its state does not change', async () => {
    await emulator.switch({ secondCapture: 'approved' });
    const held = await hold();
    expect(await gateway.capture(held)).toEqual({ kind: 'captured' });
    expect(await gateway.capture(held)).toEqual({ kind: 'captured' });
    expect(await gateway.find(held)).toMatchObject({
      transaction: { state: 'captured', amountCents: 12_34 },
    });
  });

  test('is voided once it is released, whatever its type reads as', async () => {
    await emulator.switch({ releasedAuthorizationType: 'A' });
    const held = await hold();
    await gateway.release(held);
    expect(await gateway.find(held)).toMatchObject({ transaction: { state: 'voided' } });
  });

  test('is released, read back as voided, and can then not be captured', async () => {
    const held = await hold();
    expect(await gateway.find(held)).toMatchObject({ transaction: { state: 'held', amountCents: 12_34 } });
    expect(await gateway.release(held)).toEqual({ kind: 'answered' });
    expect(await gateway.find(held)).toMatchObject({ transaction: { state: 'voided' } });
    expect(await gateway.capture(held)).toEqual({ kind: 'impossible', errorCode: 10124 });
  });

  test('that the provider does not know is not found, and its capture is impossible', async () => {
    const unknown = { transactionKey: 'enfnothere00000', amountCents: cents(1) };
    expect(await gateway.find(unknown)).toEqual({ kind: 'not-found' });
    expect(await gateway.capture(unknown)).toEqual({ kind: 'impossible', errorCode: 10105 });
  });

  test('that has expired is noticed when its capture is refused', async () => {
    const held = await hold();
    await emulator.advanceClock(31 * 24 * 60 * 60);
    expect(await gateway.capture(held)).toEqual({ kind: 'impossible', errorCode: 10142 });
  });

  test.each([
    [{ key: 'enfsomebodyelse' }],
    [{ key: null }],
    [{ auth_amount: '12.33' }],
    [{ auth_amount: null }],
    [{ auth_amount: 12.34 }],
  ])('whose capture is answered with %j has to be looked up', async (answer) => {
    const held = await hold();
    await emulator.script({ fault: 'wrong', command: 'capture', answer });
    expect(await gateway.capture(held)).toEqual({ kind: 'unclear' });
    expect(await gateway.find(held)).toMatchObject({ transaction: { state: 'captured' } });
  });

  test.each([10142, '10142'])('cannot be captured when the error code is %j', async (error_code) => {
    const held = await hold();
    const answer = { result_code: 'E', error_code };
    await emulator.script({ fault: 'wrong', when: 'before', command: 'capture', answer });
    expect(await gateway.capture(held)).toEqual({ kind: 'impossible', errorCode: 10142 });
  });

  test.each([
    [
      { result_code: 'E', error_code: 80 },
      { kind: 'not-allowed', errorCode: 80 },
    ],
    [
      { result_code: 'E', error_code: '84' },
      { kind: 'not-allowed', errorCode: 84 },
    ],
    [{ result_code: 'E', error_code: 19 }, { kind: 'unclear' }],
    [{ result_code: 'D', error_code: 80 }, { kind: 'unclear' }],
    [{ result_code: 'P' }, { kind: 'unclear' }],
    [{ result_code: null }, { kind: 'unknown' }],
  ])('whose capture is answered with %j is %j', async (answer, expected) => {
    const held = await hold();
    await emulator.script({ fault: 'wrong', when: 'before', command: 'capture', answer });
    expect(await gateway.capture(held)).toEqual(expected);
  });

  test('is not trusted if the answer has another key', async () => {
    const held = await hold();
    await emulator.script({ fault: 'wrong', command: 'get', answer: { key: 'enfsomebodyelse' } });
    expect(await gateway.find(held)).toEqual({ kind: 'unknown' });
  });
});

test('reports a list without a connection as not sent', async () => {
  const nowhere = createUsaepayGateway({
    baseUrl: 'http://127.0.0.1:1/api/v2',
    keys: { apiKey: 'a', pin: 'b' },
  });
  expect(await nowhere.list({ offset: 0, limit: 2 })).toEqual({ kind: 'not-sent' });
});

test('reads the list newest first, with order ids, and an unreadable page as unknown', async () => {
  const asked = await request();
  await gateway.authorize(asked);
  const page = await gateway.list({ offset: 0, limit: 2 });
  if (page.kind !== 'page') throw new Error(page.kind);
  expect(page.rows).toHaveLength(2);
  expect(page.rows[0]?.orderId).toBe(asked.orderId);
  expect(page.total).toBe((await emulator.ledger()).length);
  await emulator.script({ fault: 'truncate', command: 'list' });
  expect(await gateway.list({ offset: 0, limit: 2 })).toEqual({ kind: 'unknown' });
  await emulator.script({ fault: 'status', status: 429, command: 'list' });
  expect(await gateway.list({ offset: 0, limit: 2 })).toEqual({ kind: 'not-executed', status: 429 });
});

test('reads a transaction and a list from any successful answer', async () => {
  const asked = await request();
  const held = await gateway.authorize(asked);
  if (held.kind !== 'approved') throw new Error(held.kind);
  const { transactionKey } = held;
  for (const [command, path] of [
    ['get', `/transactions/${transactionKey}`],
    ['list', '/transactions?limit=2&offset=0'],
  ] as const) {
    const body = JSON.stringify(await emulator.callAs('portal', 'GET', path));
    await emulator.script({ fault: 'status', status: 201, command, body });
  }
  expect(await gateway.find({ transactionKey })).toMatchObject({ transaction: { orderId: asked.orderId } });
  expect(await gateway.list({ offset: 0, limit: 2 })).toMatchObject({
    rows: [{ orderId: asked.orderId }, {}],
  });
});

test('reads a list completely, in whichever field rows give their time', async () => {
  await emulator.switch({ rowTime: 'mixed' });
  for (const _ of [1, 2, 3, 4]) await gateway.authorize(await request());
  const page = await gateway.list({ offset: 0, limit: 4 });
  if (page.kind !== 'page') throw new Error(page.kind);
  expect(page.partial).toEqual([]);
  // A date alone, or nothing, isn't a time.
  expect(page.rows.map(({ createdAt }) => createdAt !== null).toSorted()).toEqual([false, false, true, true]);
});

test('reports a truncated list as unknown', async () => {
  await emulator.switch({ listingsPerHour: 1 });
  expect((await gateway.list({ offset: 0, limit: 2 })).kind).toBe('page');
  expect(await gateway.list({ offset: 0, limit: 2 })).toEqual({ kind: 'unknown' });
  await emulator.advanceClock(60 * 60 + 1);
  expect((await gateway.list({ offset: 0, limit: 2 })).kind).toBe('page');
});

describe('money that goes back', () => {
  beforeEach(() =>
    emulator.switch({
      voidSettledCode: 117,
      releaseRefused: 'settled',
      refundAnswersAmount: false,
      foldsRefunds: false,
      foldingMode: 'N',
    }),
  );

  async function sale({ number }: { number?: string } = {}) {
    const asked = await request(number === undefined ? {} : { number });
    const held = await gateway.authorize(asked);
    if (held.kind !== 'approved') throw new Error(held.kind);
    const { transactionKey } = held;
    await gateway.capture({ transactionKey, amountCents: asked.amountCents });
    return {
      transactionKey,
      amountCents: asked.amountCents,
      orderId: asked.orderId,
      clerk: 'r0',
      millisecondsLeft: countDown(2_000),
    };
  }

  const settle = () => emulator.callAs('portal', 'POST', '/batches/current/close');

  async function settledSale(options: { number?: string } = {}) {
    const sold = await sale(options);
    await settle();
    return sold;
  }

  test('voids a captured sale, which keeps its own key', async () => {
    const sold = await sale();
    expect(await gateway.void({ ...sold, releases: true })).toEqual({ kind: 'answered' });
    expect(await gateway.find(sold)).toMatchObject({ transaction: { type: 'V', state: 'voided' } });
  });

  test.each([26, 103, 117])('answers %i for a void that comes too late', async (voidSettledCode) => {
    await emulator.switch({ voidSettledCode });
    const sold = await settledSale();
    expect(await gateway.void({ ...sold, releases: false })).toEqual({
      kind: 'too-late',
      errorCode: voidSettledCode,
    });
    expect(await gateway.void({ ...sold, releases: true })).toEqual({ kind: 'not-releasable' });
  });

  test('voids before settlement what cannot be released', async () => {
    await emulator.switch({ releaseRefused: 'captured' });
    const sold = await sale();
    expect(await gateway.void({ ...sold, releases: true })).toEqual({ kind: 'not-releasable' });
    expect(await gateway.void({ ...sold, releases: false })).toEqual({ kind: 'answered' });
    expect(await gateway.find(sold)).toMatchObject({ transaction: { type: 'V' } });
  });

  test.each([true, false])('gives a refund its own key and the order id of its sale', async (says) => {
    await emulator.switch({ refundAnswersAmount: says });
    const sold = await settledSale();
    const refunded = await gateway.refund({ ...sold, amountCents: cents(4_00) });
    if (refunded.kind !== 'approved') throw new Error(refunded.kind);
    expect(refunded.transactionKey).not.toBe(sold.transactionKey);
    expect(refunded.batchKey).toMatch(/^ft/);
    expect(await gateway.find(refunded)).toMatchObject({
      transaction: {
        orderId: sold.orderId,
        amountCents: 4_00,
        isRefund: true,
        type: 'C',
        status: 'P',
        result: 'A',
        reference: refunded.reference,
        batchKey: refunded.batchKey,
      },
    });
  });

  test('reads a sale with its status, S once it has settled', async () => {
    const sold = await sale();
    expect(await gateway.find(sold)).toMatchObject({ transaction: { type: 'L', status: 'P' } });
    await settle();
    expect(await gateway.find(sold)).toMatchObject({ transaction: { type: 'L', status: 'S', clerk: '' } });
  });

  test('refuses to refund an unsettled sale', async () => {
    expect(await gateway.refund(await sale())).toEqual({ kind: 'unsettled' });
  });

  test('refuses more than is left, a voided sale and an unknown one in the provider’s words', async () => {
    const sold = await settledSale();
    await gateway.refund(sold);
    const refused = (sentence: string) => ({ kind: 'refused', sentence });
    expect(await gateway.refund(sold)).toEqual(refused('Amount exceeds original transaction amount.'));
    expect(await gateway.refund({ ...sold, transactionKey: 'enfnothere00000' })).toEqual(
      refused('Refund not permitted. Original transaction not found.'),
    );
    const voided = await sale();
    await gateway.void({ ...voided, releases: true });
    expect(await gateway.refund(voided)).toEqual(refused('Original transaction not an approved sale.'));
  });

  test('refuses a refund that the bank declines, and treats an error with a key as unknown', async () => {
    expect(await gateway.refund(await settledSale({ number: '4000400011112228' }))).toEqual({
      kind: 'refused',
      sentence: 'Transaction not permitted (F57).',
    });
    expect(await gateway.refund(await settledSale({ number: '4000400111112227' }))).toEqual({
      kind: 'unknown',
    });
  });

  test('does not repeat words that are not on the list', async () => {
    const sold = await settledSale();
    await emulator.script({ fault: 'wrong', command: 'refund', answer: { result_code: 'D', error: 'db01' } });
    expect(await gateway.refund(sold)).toEqual({
      kind: 'refused',
      sentence: 'The provider refused the refund.',
    });
  });

  test('treats a refund folded into another one as unknown', async () => {
    await emulator.switch({ foldsRefunds: true, foldingMode: 'M' });
    const sold = await settledSale();
    await gateway.refund({ ...sold, amountCents: cents(1_00) });
    expect(await gateway.refund({ ...sold, amountCents: cents(1_00) })).toEqual({ kind: 'unknown' });
  });

  const NOT_PROCESSED = { key: undefined, result_code: 'E' };

  test.each([
    [
      { fault: 'status', status: 429 },
      { kind: 'not-executed', status: 429 },
    ],
    [
      { fault: 'status', status: 401 },
      { kind: 'not-executed', status: 401 },
    ],
    [{ fault: 'status', status: 500 }, { kind: 'unknown' }],
    [
      { fault: 'wrong', answer: { ...NOT_PROCESSED, key: '', error_code: 80 } },
      { kind: 'not-allowed', errorCode: 80 },
    ],
    [
      { fault: 'wrong', answer: { ...NOT_PROCESSED, key: '', error_code: 84 } },
      { kind: 'not-allowed', errorCode: 84 },
    ],
    [{ fault: 'wrong', answer: { ...NOT_PROCESSED, key: '', error_code: 19 } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { ...NOT_PROCESSED, error_code: 26 } }, { kind: 'unknown' }],
    [{ fault: 'wrong', answer: { result_code: 'V' } }, { kind: 'unknown' }],
    [{ fault: 'duplicate' }, { kind: 'unknown' }],
    [{ fault: 'duplicate-other' }, { kind: 'unknown' }],
    [{ fault: 'reset', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'truncate', when: 'after' }, { kind: 'unknown' }],
    [{ fault: 'empty', when: 'after' }, { kind: 'unknown' }],
  ])('reads both answered with %j as %j', async (fault, expected) => {
    await emulator.script({ ...fault, command: 'refund' });
    expect(await gateway.refund(await settledSale())).toEqual(expected);
    await emulator.script({ ...fault, command: 'void' });
    expect(await gateway.void({ ...(await sale()), releases: true })).toEqual(expected);
  });

  test('treats an approved refund without a key as unknown', async () => {
    const sold = await settledSale();
    await emulator.script({ fault: 'wrong', command: 'refund', answer: { key: '' } });
    expect(await gateway.refund(sold)).toEqual({ kind: 'unknown' });
  });

  test.each([
    [{ auth_amount: '12.33' }],
    [{ auth_amount: 12.34 }],
    [{ auth_amount: null }],
    [{ result_code: 'P' }],
  ])('leaves it to the record how much an approved refund that carries %j gave back', async (answer) => {
    const sold = await settledSale();
    await emulator.script({ fault: 'wrong', command: 'refund', answer });
    const outcome = await gateway.refund(sold);
    const rows = await rowOf(sold.orderId);
    const key = rows.find((row) => row.trantype_code === 'C')?.key;
    expect(outcome).toMatchObject({ kind: 'approved', transactionKey: key });
  });

  test('treats a refund answered with its sale’s key as unknown', async () => {
    const sold = await settledSale();
    await emulator.script({ fault: 'wrong', command: 'refund', answer: { key: sold.transactionKey } });
    expect(await gateway.refund(sold)).toEqual({ kind: 'unknown' });
  });

  test('writes nothing if the time is up when the socket opens', async () => {
    const sold = await settledSale();
    let left = 1_000;
    const slept = {
      millisecondsLeft: () => left,
      onProgress: () => {
        left = 0;
      },
    };
    expect(await gateway.refund({ ...sold, ...slept })).toEqual({ kind: 'not-sent' });
    left = 1_000;
    expect(await gateway.void({ ...sold, releases: true, ...slept })).toEqual({ kind: 'not-sent' });
    expect(await rowOf(sold.orderId)).toHaveLength(1);
  });
});
