import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, CARD, card, control, GatewayClient } from '../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from './start-emulator.ts';
import { DEFAULT_SWITCHES } from './switches.ts';

let emulator: RunningEmulator;
let portal: GatewayClient;
let north: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator({
    delayScale: 0.001,
    extraMerchants: [
      { name: 'pinless', apiKey: '_pinless', pin: '', publicKey: '_pinlessPublic' },
      {
        name: 'limited',
        apiKey: '_limited',
        pin: '1',
        publicKey: '_limitedPublic',
        forbiddenCommands: ['sale'],
      },
    ],
  });
  portal = await GatewayClient.of(emulator.url);
  north = await GatewayClient.of(emulator.url, 'north');
});

afterAll(() => emulator.close());

beforeEach(async () => {
  await control(emulator.url, 'POST', 'switches', { ...DEFAULT_SWITCHES, delayScale: 0.001 });
});

const sale = (amount: unknown = '10.00', more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('cc:sale', { amount, ...card(), ...more });

const hold = (amount = '10.00', more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('cc:authonly', { amount, ...card(), ...more });

async function settledSale(amount = '10.00', more: Record<string, unknown> = {}): Promise<Answer> {
  const sold = await sale(amount, more);
  await portal.call('POST', '/batches/current/close');
  return sold;
}

interface Rule {
  rule: string;
  check: () => Promise<void>;
}

function rules(title: string, rows: Rule[]): void {
  describe(title, () => {
    it.each(rows)('$rule', ({ check }) => check());
  });
}

rules('signing in', [
  {
    rule: 'the published sample key, seed and PIN make the published hash, and it is accepted',
    check: async () => {
      const hash = 'b74c2fa91fb0a09755e377ee8e20aa86d2b92c3d2f277280db595f636bb190e6';
      const key = '_V87Qtb513Cd3vabM7RC0TbtJWeSo8p7';
      const sample = new GatewayClient(emulator.url, { apiKey: key, pin: '123456', publicKey: '' });
      const expected = `Basic ${Buffer.from(`${key}:s2/abcdefghijklmnop/${hash}`).toString('base64')}`;
      expect(sample.authorization('abcdefghijklmnop')).toBe(expected);
      const reply = await sample.call('GET', '/transactions', undefined, { authorization: expected });
      expect(reply.status).toBe(200);
    },
  },
  {
    rule: 'the same header is good again and again',
    check: async () => {
      const authorization = portal.authorization('1');
      for (const _ of [1, 2]) {
        expect((await portal.call('GET', '/publickey', undefined, { authorization })).status).toBe(200);
      }
    },
  },
  {
    rule: 'an unknown key is 401 with errorcode 23',
    check: async () => {
      const stranger = new GatewayClient(emulator.url, { apiKey: '_nobody', pin: '1', publicKey: '' });
      const reply = await stranger.call('GET', '/transactions');
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual({ error: 'Specified source key not found.', errorcode: 23 });
    },
  },
  {
    rule: 'a wrong PIN is 401 with errorcode 21002',
    check: async () => {
      const forger = new GatewayClient(emulator.url, {
        apiKey: '_V87Qtb513Cd3vabM7RC0TbtJWeSo8p7',
        pin: '654321',
        publicKey: '',
      });
      const reply = await forger.call('GET', '/transactions');
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual({ error: 'API authentication failed', errorcode: 21002 });
    },
  },
  {
    rule: 'a missing, an unreadable or an incomplete header is refused',
    check: async () => {
      for (const authorization of ['', 'Bearer x', 'Basic !!!', `Basic ${btoa('_nobody')}`]) {
        const reply = await portal.call('GET', '/transactions', undefined, { authorization });
        expect(reply.status).toBe(401);
      }
    },
  },
  {
    rule: 'a public key is good under /pub/ only, a secret key outside it only',
    check: async () => {
      const authorization = portal.publicAuthorization();
      expect((await portal.call('GET', '/transactions', undefined, { authorization })).status).toBe(401);
      expect((await portal.call('POST', '/pub/payment_keys', card())).status).toBe(401);
      const reply = await portal.call('POST', '/pub/payment_keys', card(), { authorization });
      expect(reply.status).toBe(200);
      const seeded = { authorization: `Basic ${btoa(`${await portal.get('/publickey')}:s2/seed/hash`)}` };
      expect((await portal.call('POST', '/pub/payment_keys', card(), seeded)).status).toBe(401);
    },
  },
  {
    rule: 'any segment stands in place of v2',
    check: async () => {
      const response = await fetch(`${emulator.url}/api/myendpointkey/publickey`, {
        headers: { authorization: portal.authorization() },
      });
      expect(response.status).toBe(200);
    },
  },
  {
    rule: 'the public key is a bare JSON text that starts with an underscore',
    check: async () => expect(await portal.get('/publickey')).toMatch(/^_/),
  },
  {
    rule: 'an unknown path is 404 with errorcode 21001',
    check: async () => {
      const reply = await portal.call('GET', '/nothing/here');
      expect(reply).toMatchObject({ status: 404, body: { errorcode: 21001 } });
    },
  },
]);

rules('charging', [
  {
    rule: 'an approved sale answers with the whole shape, and without the order id',
    check: async () => {
      const answer = await sale('29.99', { invoice: '77', orderid: 'order-1', save_card: true });
      expect(answer).toMatchObject({
        type: 'transaction',
        key: expect.stringMatching(/^.nf[a-z0-9]{12}$/),
        refnum: expect.stringMatching(/^\d+$/),
        is_duplicate: 'N',
        result_code: 'A',
        result: 'Approved',
        authcode: expect.stringMatching(/^\d{6}$/),
        creditcard: { type: 'V', number: '4000xxxxxxxx2224', entry_mode: 'Card Not Present, Manually Keyed' },
        invoice: '77',
        avs: { result_code: 'YYY', result: 'Address: Match & 5 Digit Zip: Match' },
        cvc: { result_code: 'M', result: 'Match' },
        batch: { type: 'batch', batchrefnum: expect.any(Number), sequence: expect.any(String) },
        auth_amount: '29.99',
        savedcard: {
          type: 'Visa',
          key: expect.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/),
          cardnumber: '4000xxxxxxxx2224',
          expiration: '1230',
        },
        trantype: 'Credit Card Sale',
      });
      expect(answer).not.toHaveProperty('orderid');
      expect(answer).not.toHaveProperty('error_code');
    },
  },
  {
    rule: 'amounts are texts or numbers of dollars',
    check: async () => {
      for (const [sent, told] of [
        ['7', '7.00'],
        [7.5, '7.50'],
        ['0.07', '0.07'],
        [1234.56, '1234.56'],
      ]) {
        expect((await sale(sent)).auth_amount).toBe(told);
      }
    },
  },
  {
    rule: 'an authorization of 0.00 is refused',
    check: async () => expect(await hold('0.00')).toMatchObject({ result_code: 'E', error_code: 33 }),
  },
  {
    rule: 'a hold is no sale: it is in no batch until it is captured',
    check: async () => {
      const held = await hold();
      expect(held).toMatchObject({ result_code: 'A', auth_amount: '10.00' });
      expect(held).not.toHaveProperty('batch');
      expect(await portal.get(`/transactions/${held.key}`)).toMatchObject({ trantype_code: 'A' });
    },
  },
  {
    rule: 'an unknown command is error 20019, checks and cash are error 80',
    check: async () => {
      for (const [command, code] of [
        ['cc:dance', 20019],
        ['', 20019],
        ['constructor', 20019],
        ['check:sale', 80],
        ['cash:sale', 80],
      ] as const) {
        expect(await portal.run(command, { amount: '1.00', ...card() })).toMatchObject({
          result_code: 'E',
          error_code: code,
        });
      }
    },
  },
  {
    rule: 'a command that the key may not use is error 80',
    check: async () => {
      const limited = new GatewayClient(emulator.url, { apiKey: '_limited', pin: '1', publicKey: '' });
      expect(await limited.run('cc:sale', { amount: '1.00', ...card() })).toMatchObject({ error_code: 80 });
      expect(await limited.run('cc:authonly', { amount: '1.00', ...card() })).toMatchObject({
        result_code: 'A',
      });
    },
  },
  {
    rule: 'an amount detail with a subtotal must add up (error 71)',
    check: async () => {
      const detail = {
        subtotal: '9.00',
        tax: '0.50',
        tip: '1.00',
        discount: '0.50',
        shipping: '0.50',
        duty: '0.50',
      };
      expect(await sale('10.00', { amount_detail: detail })).toMatchObject({ result_code: 'A' });
      expect(await sale('11.00', { amount_detail: detail })).toMatchObject({ result_code: 'A' });
      expect(await sale('12.00', { amount_detail: detail })).toMatchObject({ error_code: 71 });
      expect(await sale('12.00', { amount_detail: { tax: '1.00' } })).toMatchObject({ result_code: 'A' });
    },
  },
  {
    rule: 'a payment key charges once',
    check: async () => {
      const payment_key = await portal.paymentKey();
      expect(await portal.run('sale', { amount: '5.00', payment_key })).toMatchObject({ result_code: 'A' });
      const again = await portal.run('sale', { amount: '5.00', payment_key });
      expect(again).toMatchObject({ result_code: 'E', error: 'Invalid payment key' });
      expect(again).not.toHaveProperty('key');
    },
  },
  {
    rule: 'a decline uses the payment key up as well',
    check: async () => {
      const payment_key = await portal.paymentKey('4000300611112224');
      expect(await portal.run('sale', { amount: '5.00', payment_key })).toMatchObject({ result_code: 'D' });
      expect(await portal.run('sale', { amount: '5.00', payment_key })).toMatchObject({
        error: 'Invalid payment key',
      });
    },
  },
  {
    rule: 'a payment key lives fifteen minutes, and is good for its own merchant only',
    check: async () => {
      const [early, late] = [await portal.paymentKey(), await portal.paymentKey()];
      expect(await north.run('sale', { amount: '5.00', payment_key: early })).toMatchObject({
        result_code: 'E',
      });
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 14 * 60 });
      expect(await portal.run('sale', { amount: '5.00', payment_key: early })).toMatchObject({
        result_code: 'A',
      });
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 61 });
      expect(await portal.run('sale', { amount: '5.00', payment_key: late })).toMatchObject({
        result_code: 'E',
      });
    },
  },
  {
    rule: 'the CVC is a match only with the right code, and not processed without one',
    check: async () => {
      const cvcOf = async (more: Record<string, unknown>): Promise<string> =>
        (await portal.run('sale', { amount: '1.00', ...card('4000101611112226', more) })).cvc.result_code;
      expect(await cvcOf({ cvc: '999' })).toBe('M');
      expect(await cvcOf({ cvc: '123' })).toBe('N');
      expect(await cvcOf({ cvc: '' })).toBe('P');
    },
  },
  {
    rule: 'the slow cards keep their caller waiting',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { delayScale: 60 });
      const slow = portal.run('sale', { amount: '1.00', orderid: 'slow', ...card('4000000011112226') });
      const first = await Promise.race([slow.then(() => 'slow'), sale('1.00').then(() => 'quick')]);
      expect(first).toBe('quick');
      slow.catch(() => undefined);
    },
  },
  {
    rule: 'an approval that comes after ApiTimeout is an error, and is voided by the gateway itself',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { delayScale: 0.05 });
      const body = { command: 'sale', amount: '1.00', orderid: 'too-late', ...card('4000000011112226') };
      const reply = await portal.call('POST', '/transactions', body, { apitimeout: '0.01' });
      expect(reply.body).toMatchObject({ result_code: 'E', error_code: 19 });
      await expect
        .poll(async () => (await portal.get('/transactions?limit=1')).data[0])
        .toMatchObject({ orderid: 'too-late', trantype_code: 'V' });
    },
  },
]);

describe('invalid cards', () => {
  it.each([
    ['4000x0001111222', '1230', 11],
    ['', '1230', 11],
    ['400010001111', '1230', 12],
    ['40001000111122244', '1230', 12],
    ['4000100011112225', '1230', 13],
    ['9000000000000001', '1230', 14],
    [CARD, '12/30', 15],
    [CARD, '', 15],
    [CARD, '1330', 16],
    [CARD, '0120', 17],
    ['zzzz-zzzz-zzzz-zzzz', '0000', 601],
  ])('2.5: %s %s is error %i', async (number, expiration, code) => {
    const answer = await portal.run('sale', { amount: '1.00', creditcard: { number, expiration } });
    expect(answer).toMatchObject({ type: 'transaction', result_code: 'E', error_code: code });
    expect(answer).not.toHaveProperty('key');
  });

  it('2.2: an amount above 99,999 is error 70', async () => {
    expect(await sale('99999.00')).toMatchObject({ result_code: 'A' });
    expect(await sale('99999.01')).toMatchObject({ result_code: 'E', error_code: 70 });
  });
});

describe('test cards', () => {
  it.each([
    ['4000100011112224', 'YYY'],
    ['4000100111112223', 'YYX'],
    ['4000100211112222', 'NYZ'],
    ['4000100311112221', 'NYW'],
    ['4000100411112220', 'YNA'],
    ['4000100511112229', 'NNN'],
    ['4000100611112228', 'XXW'],
    ['4000100711112227', 'XXU'],
    ['4000100811112226', 'XXR'],
    ['4000100911112225', 'XXS'],
    ['4000101011112222', 'XXE'],
    ['4000101111112221', 'XXG'],
    ['4000101211112220', 'YYG'],
    ['4000101311112229', 'GGG'],
    ['4000101411112228', 'YGG'],
    ['4000101511112227', 'NN'],
    ['4000101611112226', 'N/A'],
  ])('8: %s is approved with AVS %s', async (number, avs) => {
    const answer = await portal.run('sale', { amount: '1.00', ...card(number) });
    expect(answer).toMatchObject({ result_code: 'A', avs: { result_code: avs } });
  });

  it.each([
    ['4000200011112222', 'V', 'M'],
    ['4000200111112221', 'V', 'N'],
    ['4000200211112220', 'V', 'P'],
    ['4000200311112229', 'V', 'S'],
    ['4000200411112228', 'V', 'U'],
    ['4000200511112227', 'V', 'X'],
    ['5555444433332226', 'M', 'M'],
    ['5555444433332234', 'M', 'N'],
    ['5555444433332275', 'M', 'X'],
    ['6011222233332224', 'DS', 'M'],
    ['6011222233332273', 'DS', 'X'],
    ['371122223332225', 'A', 'M'],
    ['371122223332233', 'A', ''],
  ])('8: %s is of type %s and has CVC %s', async (number, type, cvc) => {
    const answer = await portal.run('sale', { amount: '1.00', ...card(number) });
    expect(answer).toMatchObject({ result_code: 'A', creditcard: { type }, cvc: { result_code: cvc } });
  });

  it.each([
    ['4000300011112220', 10127],
    ['4000300001112222', 10204],
    ['4000300211112228', 10205],
    ['4000300311112227', 10212],
    ['4000300411112226', 10215],
    ['4000300511112225', 10225],
    ['4000300611112224', 10251],
    ['4000300711112223', 10255],
    ['4000300811112222', 10257],
    ['4000300911112221', 10262],
    ['4000301011112228', 10265],
    ['4000301111112227', 10275],
    ['4000301211112226', 10278],
    ['4000301311112225', 10297],
    ['371122223332241', 10282],
  ])('8: %s is declined with %i, status 200 and a key', async (number, code) => {
    const reply = await portal.call('POST', '/transactions', {
      command: 'cc:sale',
      amount: '1.00',
      invoice: '9',
      ...card(number),
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      type: 'transaction',
      key: expect.any(String),
      refnum: expect.any(String),
      is_duplicate: 'N',
      result_code: 'D',
      result: 'Declined',
      authcode: '',
      invoice: '9',
      batch: { type: 'batch' },
      error: expect.stringMatching(/./),
      error_code: String(code),
    });
    expect(reply.body).not.toHaveProperty('auth_amount');
  });

  it.each([
    ['4000000011112275', '50.00'],
    ['4000000011112283', '75.00'],
  ])('8: %s is approved in part when the caller allows it: %s of 100.00', async (number, part) => {
    const allowed = { amount: '100.00', amount_detail: { enable_partialauth: true }, ...card(number) };
    expect(await portal.run('sale', allowed)).toMatchObject({
      result_code: 'P',
      result: 'Partial Approval',
      auth_amount: part,
    });
    expect(await portal.run('sale', { amount: '100.00', ...card(number) })).toMatchObject({
      result_code: 'D',
      error_code: '10151',
    });
  });

  it.each([
    ['4000300111112229', 'V'],
    ['4000301411112224', 'V'],
    ['4000301511112223', 'E'],
    ['4000600011112223', 'A'],
    ['4444333322221111', 'A'],
    ['4444555566667779', 'A'],
  ])('8: %s is answered %s', async (number, result) => {
    const answer = await portal.run('sale', { amount: '1.00', ...card(number) });
    expect(answer).toMatchObject({ result_code: result });
  });
});

rules('capturing', [
  {
    rule: 'every spelling of capture puts a hold into the batch, under its own key',
    check: async () => {
      for (const command of [
        'capture',
        'cc:capture',
        'cc:capture:error',
        'cc:capture:reauth',
        'cc:capture:override',
      ]) {
        const held = await hold('10.00', { invoice: '5' });
        const captured = await portal.run(command, { trankey: held.key });
        expect(captured).toMatchObject({
          key: held.key,
          refnum: held.refnum,
          result_code: 'A',
          invoice: '5',
          batch: { type: 'batch' },
          auth_amount: '10.00',
        });
        expect(await portal.get(`/transactions/${held.key}`)).toMatchObject({
          trantype_code: 'L',
          status_code: 'P',
        });
      }
    },
  },
  {
    rule: 'a capture takes less than the hold, but never more (10133)',
    check: async () => {
      const held = await hold('10.00');
      expect(await portal.run('cc:capture', { refnum: held.refnum, amount: '10.01' })).toMatchObject({
        error_code: 10133,
      });
      expect(await portal.run('cc:capture', { refnum: held.refnum, amount: '4.00' })).toMatchObject({
        auth_amount: '4.00',
      });
      expect(await portal.get(`/transactions/${held.key}`)).toMatchObject({ amount: '4.00' });
    },
  },
  {
    rule: 'what cannot be captured has its own code: unknown, no hold, declined, captured',
    check: async () => {
      const declined = await portal.run('cc:authonly', { amount: '1.00', ...card('4000300611112224') });
      const captured = await hold();
      await portal.run('cc:capture', { trankey: captured.key });
      const voided = await hold();
      await portal.run('void', { trankey: voided.key });
      const codes = [];
      for (const trankey of ['nothing', (await sale()).key, declined.key, captured.key, voided.key])
        codes.push((await portal.run('cc:capture:error', { trankey })).error_code);
      expect(codes).toEqual([10105, 10124, 10125, 10124, 10124]);
    },
  },
  {
    rule: 'a hold that has run out is error 10142 for :error, a new approval for :reauth, and taken by :override',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { authorizationDays: 0 });
      const held = await hold();
      expect(await portal.run('cc:capture:error', { trankey: held.key })).toMatchObject({
        error_code: 10142,
      });
      expect(await portal.run('cc:capture:reauth', { trankey: held.key })).toMatchObject({
        result_code: 'A',
      });
      const other = await hold();
      expect(await portal.run('cc:capture:override', { trankey: other.key })).toMatchObject({
        result_code: 'A',
      });
    },
  },
]);

rules('voiding', [
  {
    rule: 'a void answers seven fields, and changes the transaction itself',
    check: async () => {
      const sold = await sale();
      const answer = await portal.run('void', { trankey: sold.key });
      expect(answer).toEqual({
        type: 'transaction',
        key: sold.key,
        refnum: sold.refnum,
        is_duplicate: 'N',
        result_code: 'A',
        result: 'Approved',
        authcode: sold.authcode,
      });
      expect(await portal.get(`/transactions/${sold.key}`)).toMatchObject({
        trantype_code: 'V',
        status_code: 'V',
      });
    },
  },
  {
    rule: 'a second void is error 24, an unknown one 35, a declined one 83',
    check: async () => {
      const sold = await sale();
      await portal.run('cc:void:release', { trankey: sold.key });
      expect(await portal.run('cc:void:release', { trankey: sold.key })).toMatchObject({ error_code: 24 });
      expect(await portal.run('void', { trankey: 'nothing' })).toMatchObject({ error_code: 35 });
      const declined = await portal.run('sale', { amount: '1.00', ...card('4000300611112224') });
      expect(await portal.run('void', { trankey: declined.key })).toMatchObject({ error_code: 83 });
    },
  },
  {
    rule: 'what has settled is refunded, not voided (117, and 118 for a release)',
    check: async () => {
      const sold = await settledSale();
      expect(await portal.run('void', { trankey: sold.key })).toMatchObject({ error_code: 117 });
      expect(await portal.run('cc:void:release', { trankey: sold.key })).toMatchObject({ error_code: 118 });
    },
  },
  {
    rule: 'while the batch is closing a void is error 101',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { batchCloseSeconds: 60 });
      const sold = await settledSale();
      expect(await portal.run('void', { trankey: sold.key })).toMatchObject({ error_code: 101 });
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 61 });
      expect(await portal.get(`/transactions/${sold.key}`)).toMatchObject({ status_code: 'S' });
    },
  },
  {
    rule: 'an unvoid undoes a void, but not a release, and of a live sale it is error 102',
    check: async () => {
      const [sold, released] = [await hold(), await hold()];
      expect(await portal.run('unvoid', { trankey: sold.key })).toMatchObject({ error_code: 102 });
      await portal.run('void', { trankey: sold.key });
      await portal.run('cc:void:release', { trankey: released.key });
      expect(await portal.run('unvoid', { refnum: sold.key })).toMatchObject({
        key: sold.key,
        result_code: 'A',
      });
      expect(await portal.get(`/transactions/${sold.key}`)).toMatchObject({
        trantype_code: 'A',
        status_code: 'P',
      });
      expect(await portal.run('unvoid', { trankey: released.key })).toMatchObject({ error_code: 118 });
    },
  },
  {
    rule: 'a key without a PIN can charge, but neither void nor refund (84)',
    check: async () => {
      const pinless = new GatewayClient(emulator.url, { apiKey: '_pinless', pin: '', publicKey: '' });
      const sold = await pinless.run('sale', { amount: '1.00', ...card() });
      expect(sold).toMatchObject({ result_code: 'A' });
      for (const command of ['void', 'refund'])
        expect(await pinless.run(command, { trankey: sold.key })).toMatchObject({ error_code: 84 });
    },
  },
  {
    rule: "no merchant can touch or see what is another one's",
    check: async () => {
      const sold = await sale();
      expect(await north.run('void', { trankey: sold.key })).toMatchObject({ error_code: 35 });
      expect((await north.call('GET', `/transactions/${sold.key}`)).status).toBe(404);
    },
  },
]);

rules('refunding and adjusting', [
  {
    rule: 'a refund has a key of its own and answers the refund shape',
    check: async () => {
      const sold = await settledSale('10.00', { invoice: '5' });
      const refunded = await portal.run('refund', { trankey: sold.key });
      expect(refunded).toMatchObject({
        result_code: 'A',
        authcode: expect.any(String),
        avs: { result_code: '   ', result: 'Unmapped AVS response (   )' },
        batch: { type: 'batch' },
        trantype: 'Credit Card Refund (Credit)',
      });
      expect(refunded).not.toHaveProperty('auth_amount');
      expect(refunded.key).not.toBe(sold.key);
      expect(refunded.refnum).not.toBe(sold.refnum);
    },
  },
  {
    rule: 'a refund inherits order id and invoice, whatever is sent with it',
    check: async () => {
      const sold = await settledSale('10.00', { orderid: 'sold', invoice: '5' });
      const refunded = await portal.run('refund', { trankey: sold.key, orderid: 'mine', invoice: '6' });
      expect(await portal.get(`/transactions/${refunded.key}`)).toMatchObject({
        trantype_code: 'C',
        orderid: 'sold',
        invoice: '5',
      });
    },
  },
  {
    rule: 'several partial refunds are taken up to the original amount (10133 beyond)',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { refundAnswersAmount: true });
      const { key: trankey } = await settledSale('10.00');
      expect(await portal.run('refund', { trankey, amount: '4.00' })).toMatchObject({ auth_amount: '4.00' });
      expect(await portal.run('quickrefund', { trankey, amount: '4.00' })).toMatchObject({
        auth_amount: '4.00',
      });
      expect(await portal.run('refund', { trankey, amount: '2.01' })).toMatchObject({ error_code: 10133 });
      expect(await portal.run('refund', { trankey })).toMatchObject({ auth_amount: '2.00' });
      expect(await portal.run('refund', { trankey })).toMatchObject({ result_code: 'E' });
    },
  },
  {
    rule: 'a voided refund gives its amount back to the sale',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { refundAnswersAmount: true });
      const { key: trankey } = await settledSale('10.00');
      const refunded = await portal.run('refund', { trankey });
      await portal.run('void', { trankey: refunded.key });
      expect(await portal.get(`/transactions/${refunded.key}`)).toMatchObject({ trantype_code: 'Z' });
      expect(await portal.run('refund', { trankey })).toMatchObject({ auth_amount: '10.00' });
    },
  },
  {
    rule: 'the refund of an unsettled sale is error 115, unless the account permits it',
    check: async () => {
      const { key: trankey } = await sale();
      expect(await portal.run('refund', { trankey })).toMatchObject({ error_code: 115 });
      expect(await portal.run('quickrefund', { trankey, amount: '1.00' })).toMatchObject({ error_code: 115 });
      await control(emulator.url, 'POST', 'switches', { refundUnsettled: 'approved' });
      expect(await portal.run('refund', { trankey })).toMatchObject({ result_code: 'A' });
      expect(await portal.run('quickrefund', { trankey, amount: '1.00' })).toMatchObject({ error_code: 115 });
    },
  },
  {
    rule: 'what was voided or declined cannot be refunded (10134), nor what is unknown (113)',
    check: async () => {
      const { key: trankey } = await sale();
      await portal.run('void', { trankey });
      expect(await portal.run('refund', { trankey })).toMatchObject({ error_code: 10134 });
      const declined = await portal.run('sale', { amount: '1.00', ...card('4000300611112224') });
      expect(await portal.run('refund', { trankey: declined.key })).toMatchObject({ error_code: 10134 });
      expect(await portal.run('refund', { trankey: 'nothing' })).toMatchObject({ error_code: 113 });
    },
  },
  {
    rule: 'creditvoid keeps the key when it voids and makes a new one when it refunds',
    check: async () => {
      const pending = await sale();
      expect((await portal.run('creditvoid', { trankey: pending.key })).key).toBe(pending.key);
      const settled = await settledSale();
      expect((await portal.run('creditvoid', { trankey: settled.key })).key).not.toBe(settled.key);
    },
  },
  {
    rule: 'cc:credit sends money to a card or a token, and with a key is a refund',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { refundAnswersAmount: true });
      expect(await portal.run('cc:credit', { amount: '3.00', ...card() })).toMatchObject({
        auth_amount: '3.00',
      });
      expect(await portal.run('credit', { ...card() })).toMatchObject({ error_code: 33 });
      const { key: trankey } = await settledSale('10.00');
      expect(await portal.run('cc:credit', { trankey, amount: '11.00' })).toMatchObject({
        error_code: 10133,
      });
    },
  },
  {
    rule: 'an unsettled sale can be given another amount, or less by an amount',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { refundAnswersAmount: true });
      const { key: trankey } = await sale('10.00');
      expect(await portal.run('cc:adjust', { trankey, amount: '12.00' })).toMatchObject({
        key: trankey,
        auth_amount: '12.00',
      });
      expect(await portal.run('refund:adjust', { trankey, amount: '5.00' })).toMatchObject({
        auth_amount: '7.00',
      });
      expect(await portal.get(`/transactions/${trankey}`)).toMatchObject({ amount: '7.00' });
      await portal.call('POST', '/batches/current/close');
      expect(await portal.run('cc:adjust', { trankey, amount: '1.00' })).toMatchObject({ error_code: 103 });
      const refunded = await portal.run('cc:refund:adjust', { trankey, amount: '5.00' });
      expect(refunded).toMatchObject({ auth_amount: '5.00', trantype: 'Credit Card Refund (Credit)' });
    },
  },
  {
    rule: 'postauth takes the code of a phone call',
    check: async () => {
      const referred = card('4000300111112229');
      expect(await portal.run('cc:postauth', { amount: '1.00', ...referred })).toMatchObject({
        error_code: 43,
      });
      const answer = await portal.run('cc:postauth', { amount: '1.00', authcode: '424242', ...referred });
      expect(answer).toMatchObject({ result_code: 'A', authcode: '424242' });
    },
  },
  {
    rule: 'quicksale charges the card of an earlier transaction, without its CVC',
    check: async () => {
      const sold = await sale();
      const again = await portal.run('quicksale', { trankey: sold.key, amount: '3.00' });
      expect(again).toMatchObject({ result_code: 'A', auth_amount: '3.00', cvc: { result_code: 'P' } });
      expect(again.key).not.toBe(sold.key);
    },
  },
]);

rules('looking up', [
  {
    rule: 'GET shows the order id, the time without offset and the actions, and never the saved card',
    check: async () => {
      const sold = await sale('10.00', {
        orderid: 'order-2',
        save_card: true,
        description: 'Windows',
        billing_address: { firstname: 'Ada', lastname: 'Byron', street: '1 High St', postalcode: '02113' },
      });
      const found = await portal.get(`/transactions/${sold.key}`);
      expect(found).toMatchObject({
        key: sold.key,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        trantype_code: 'S',
        status_code: 'P',
        status: 'Authorized (Pending Settlement)',
        amount: '10.00',
        orderid: 'order-2',
        description: 'Windows',
        billing_address: { first_name: 'Ada', last_name: 'Byron', street: '1 High St', postalcode: '02113' },
        batch: { batchrefnum: expect.any(String) },
        platform: { name: 'Test Bed' },
        available_actions: expect.arrayContaining(['void', 'void:release', 'quicksale']),
      });
      expect(found).not.toHaveProperty('savedcard');
      expect(await portal.get(`/transactions/${sold.refnum}`)).toEqual(found);
    },
  },
  {
    rule: "the time is the merchant's own",
    check: async () => {
      const { key } = await sale();
      const created = async (timeZone: string): Promise<number> => {
        await control(emulator.url, 'POST', 'switches', { timeZone });
        return Date.parse(`${(await portal.get(`/transactions/${key}`)).created.replace(' ', 'T')}Z`);
      };
      expect((await created('Asia/Tokyo')) - (await created('UTC'))).toBe(9 * 60 * 60 * 1000);
    },
  },
  {
    rule: 'an unknown key is 404 with errorcode 20001',
    check: async () =>
      expect(await portal.call('GET', '/transactions/nothing')).toMatchObject({
        status: 404,
        body: { error: expect.any(String), errorcode: 20001 },
      }),
  },
  {
    rule: 'the list is newest first in pages, with its total as a text',
    check: async () => {
      const keys = [];
      for (const amount of ['1.00', '2.00', '3.00']) keys.unshift((await sale(amount)).key);
      const first = await portal.get('/transactions?limit=2');
      expect(first).toMatchObject({
        type: 'list',
        limit: 2,
        offset: 0,
        total: expect.stringMatching(/^\d+$/),
      });
      const second = await portal.get('/transactions?limit=2&offset=2');
      const rows = [...first.data, ...second.data].map((row: Answer) => row.key);
      expect(rows.slice(0, 3)).toEqual(keys);
    },
  },
  {
    rule: 'the list has twenty rows unless asked, and no filter by a field',
    check: async () => {
      await sale('1.00', { orderid: 'wanted' });
      await sale('1.00', { orderid: 'other' });
      expect(await portal.get('/transactions')).toMatchObject({ limit: 20 });
      const filtered = await portal.get('/transactions?orderid=wanted&limit=x');
      expect(filtered.data[0].orderid).toBe('other');
      expect(filtered.limit).toBe(20);
    },
  },
  {
    rule: 'declines are listed, errors before processing are not',
    check: async () => {
      const before = Number((await portal.get('/transactions?limit=1')).total);
      const declined = await portal.run('sale', { amount: '1.00', ...card('4000300611112224') });
      await portal.run('sale', { amount: '1.00', ...card('4000100011112225') });
      const { data, total } = await portal.get('/transactions?limit=1');
      expect(Number(total)).toBe(before + 1);
      expect(data[0]).toMatchObject({ key: declined.key, result_code: 'D', error_code: '10251' });
    },
  },
  {
    rule: 'a receipt is a text in base64, and sending one succeeds',
    check: async () => {
      const { key, refnum } = await sale();
      const receipt = Buffer.from(await portal.get(`/transactions/${key}/receipts/1`), 'base64').toString();
      expect(receipt).toContain(refnum);
      const sent = await portal.call('POST', `/transactions/${key}/send`, { toemail: 'ada@example.com' });
      expect(sent.body).toEqual({ status: 'success' });
    },
  },
]);

rules('folding duplicates', [
  {
    rule: 'nothing is folded by default',
    check: async () => {
      const [one, other] = [await sale('8.00'), await sale('8.00')];
      expect(other).toMatchObject({ is_duplicate: 'N' });
      expect(other.key).not.toBe(one.key);
    },
  },
  {
    rule: 'mode M folds the same card and amount, and answers the original again',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { foldingMode: 'M' });
      const one = await sale('8.10', { orderid: 'a' });
      expect(await sale('8.10', { orderid: 'b' })).toEqual({ ...one, is_duplicate: 'Y' });
      expect(await sale('8.11')).toMatchObject({ is_duplicate: 'N' });
    },
  },
  {
    rule: 'mode O also compares the order id',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { foldingMode: 'O' });
      const one = await sale('8.20', { orderid: 'a' });
      expect(await sale('8.20', { orderid: 'b' })).toMatchObject({ is_duplicate: 'N' });
      expect(await sale('8.20', { orderid: 'a' })).toMatchObject({ is_duplicate: 'Y', key: one.key });
    },
  },
  {
    rule: 'mode F compares all of it, and the card behind a payment key',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { foldingMode: 'F' });
      const sell = async (description: string): Promise<Answer> =>
        portal.run('sale', { amount: '8.30', description, payment_key: await portal.paymentKey() });
      const one = await sell('same');
      expect(await sell('other')).toMatchObject({ is_duplicate: 'N' });
      expect(await sell('same')).toMatchObject({ is_duplicate: 'Y', key: one.key });
    },
  },
  {
    rule: 'ignore_duplicate, another time and a decline are not folded',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { foldingMode: 'M' });
      await sale('8.40');
      expect(await sale('8.40', { ignore_duplicate: true })).toMatchObject({ is_duplicate: 'N' });
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 601 });
      expect(await sale('8.40')).toMatchObject({ is_duplicate: 'N' });
      for (const _ of [1, 2]) {
        const declined = await portal.run('sale', { amount: '8.50', ...card('4000300611112224') });
        expect(declined).toMatchObject({ result_code: 'D', is_duplicate: 'N' });
      }
    },
  },
  {
    rule: 'a twin of a charge under way is error 93',
    check: async () => {
      await control(emulator.url, 'POST', 'switches', { foldingMode: 'M', delayScale: 0.02 });
      const body = { amount: '8.60', ...card('4000000011112226') };
      const answers = await Promise.all([portal.run('sale', body), portal.run('sale', body)]);
      expect(answers.map(({ result_code }) => result_code).sort()).toEqual(['A', 'E']);
      expect(answers.find(({ result_code }) => result_code === 'E')).toMatchObject({ error_code: 93 });
      expect(await portal.run('sale', body)).toMatchObject({ is_duplicate: 'Y' });
    },
  },
]);

rules('tokens', [
  {
    rule: 'a saved card is charged by its token, with and without dashes, by any merchant',
    check: async () => {
      const { savedcard } = await sale('1.00', { save_card: true });
      for (const [client, number] of [
        [portal, savedcard.key],
        [north, savedcard.key.replaceAll('-', '')],
      ] as const) {
        const answer = await client.run('cc:sale', {
          amount: '2.00',
          creditcard: { number, expiration: '0000' },
        });
        expect(answer).toMatchObject({
          result_code: 'A',
          creditcard: { number: '4000xxxxxxxx2224' },
          cvc: { result_code: 'P', result: 'Not Processed' },
        });
      }
    },
  },
  {
    rule: 'a token that was lost can be made again from the transaction key',
    check: async () => {
      const sold = await sale();
      const { body } = await portal.call('POST', '/tokens', { trankey: sold.key });
      expect(body.token).toMatchObject({ masked_card_number: 'XXXXXXXXXXXX2224', card_type: 'Visa' });
      expect(await portal.get(`/tokens/${body.token.cardref}`)).toEqual(body);
      const several = await portal.call('POST', '/tokens', [{ trankey: sold.key }, { trankey: 'nothing' }]);
      expect(several.body).toEqual([
        { type: 'token', key: expect.any(String) },
        { type: 'token', error: expect.any(String) },
      ]);
    },
  },
  {
    rule: 'cc:save makes a token without a transaction, and takes no payment key',
    check: async () => {
      const saved = await portal.run('cc:save', card());
      expect(saved).toMatchObject({ key: '', refnum: '', authcode: '', savedcard: { type: 'Visa' } });
      const refused = await portal.run('cc:save', { payment_key: await portal.paymentKey() });
      expect(refused).toMatchObject({
        result_code: 'E',
        error: expect.stringContaining('Invalid Card Number'),
      });
    },
  },
]);

rules('batches', [
  {
    rule: 'the current batch counts sales, voids and refunds, and closing it settles them',
    check: async () => {
      await portal.call('POST', '/batches/current/close');
      const [sold, voided] = [await sale('10.00'), await sale('5.00')];
      await portal.run('void', { trankey: voided.key });
      const current = await portal.get('/batches/current');
      expect(current).toMatchObject({
        type: 'batch',
        status: 'open',
        scheduled: expect.any(String),
        total_amount: 10,
        sales_amount: 10,
        sales_count: 1,
        voids_count: 1,
      });
      const rows = await portal.get(`/batches/${current.key}/transactions`);
      expect(rows.data.map(({ key }: Answer) => key)).toEqual([voided.key, sold.key]);
      const closing = await portal.call('POST', '/batches/current/close');
      expect(closing.body).toMatchObject({ key: current.key, status: 'closing' });
      expect(await portal.get(`/batches/${current.key}`)).toMatchObject({ status: 'closed' });
      expect(await portal.get(`/transactions/${sold.key}`)).toMatchObject({ status_code: 'S' });
      expect(await portal.get(`/transactions/${voided.key}`)).toMatchObject({ status_code: 'V' });
    },
  },
  {
    rule: 'a hold that nobody captured does not settle with the batch',
    check: async () => {
      const held = await hold();
      await settledSale();
      expect(await portal.get(`/transactions/${held.key}`)).toMatchObject({
        trantype_code: 'A',
        status_code: 'P',
      });
    },
  },
  {
    rule: 'the list of batches is newest first, in texts, and filtered by day',
    check: async () => {
      await settledSale('10.00');
      await sale('1.00');
      const { data } = await portal.get('/batches?limit=2');
      expect(data[0]).toMatchObject({ sales_count: '1', sales: '1.00' });
      expect(data[1]).toMatchObject({ sales: '10.00', credits_count: '0' });
      expect(await portal.get('/batches?openedlt=20000101')).toMatchObject({ data: [], total: '0' });
      expect((await portal.get('/batches?closedge=20000101&limit=1')).data[0].locked).toBe(true);
    },
  },
  {
    rule: 'an unknown batch is errorcode 47',
    check: async () =>
      expect((await portal.call('GET', '/batches/nothing')).body).toEqual({
        error: 'Invalid record locator key',
        errorcode: 47,
      }),
  },
]);

rules('limits', [
  {
    rule: 'the forty-sixth call of a minute is 429 with errorcode 155, and the header counts',
    check: async () => {
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 61 });
      await control(emulator.url, 'POST', 'switches', { rateLimit: true });
      for (let count = 1; count <= 45; count += 1) {
        const reply = await portal.call('GET', '/publickey');
        expect(reply.status).toBe(200);
        expect(reply.headers.get('x-rate-limit')).toMatch(
          new RegExp(`^${count} of 45/min; \\d+ of 5000/day$`),
        );
      }
      const refused = await portal.call('GET', '/publickey');
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({ error: 'API Rate Limit Exceed', errorcode: 155 });
      await control(emulator.url, 'POST', 'clock', { advanceSeconds: 61 });
      expect((await portal.call('GET', '/publickey')).status).toBe(200);
    },
  },
  {
    rule: 'the test paths are limited at the second call, and denied',
    check: async () => {
      const statuses = [];
      for (const segment of ['RATELIMT', 'RATELIMT', 'IPACCESS'])
        statuses.push((await fetch(`${emulator.url}/api/${segment}/_`)).status);
      expect(statuses).toEqual([200, 429, 401]);
    },
  },
]);

rules('payment keys', [
  {
    rule: 'a key is 22 mixed characters with the first six and last four digits and the brand',
    check: async () => {
      const headers = { authorization: portal.publicAuthorization() };
      const { body } = await portal.call('POST', '/pub/payment_keys', card('6011222233332224'), headers);
      expect(body).toEqual({
        type: 'payment_key',
        key: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
        creditcard: { number: '601122xxxxxx2224', cardtype: 'Discover' },
      });
    },
  },
  {
    rule: 'an unknown public key is 401 with errorcode 23, a bad card is refused',
    check: async () => {
      const unknown = { authorization: `Basic ${btoa('_nobody:s2//')}` };
      expect(await portal.call('POST', '/pub/payment_keys', card(), unknown)).toMatchObject({
        status: 401,
        body: { errorcode: 23 },
      });
      const headers = { authorization: portal.publicAuthorization() };
      expect(await portal.call('POST', '/pub/payment_keys', card('4000100011112225'), headers)).toMatchObject(
        {
          status: 400,
          body: { errorcode: 13 },
        },
      );
    },
  },
]);
