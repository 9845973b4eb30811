import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, CARD, card, control, GatewayClient } from '../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from './start-emulator.ts';
import { DEFAULT_SWITCHES, type Switches } from './switches.ts';

// Answers to commands and calls, and the switches for points on which sources conflict.

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

beforeEach(() => switchTo(DEFAULT_SWITCHES));

const switchTo = (switches: Partial<Switches>): Promise<Answer> =>
  control(emulator.url, 'POST', 'switches', switches);

const sale = (more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('cc:sale', { amount: '10.00', ...card(), ...more });

const close = (): Promise<unknown> => portal.call('POST', '/batches/current/close');

describe('errors', () => {
  it('a call without Authorization is 401 with errorcode 0', async () => {
    const response = await fetch(`${emulator.url}/api/v2/transactions`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Valid authentication required', errorcode: 0 });
  });

  it('the error code is a text on declines and a number on errors of the gateway', async () => {
    expect(await sale(card('4000300611112224'))).toMatchObject({ result_code: 'D', error_code: '10251' });
    expect(await sale(card('4000100011112225'))).toMatchObject({ result_code: 'E', error_code: 13 });
    expect(await sale(card('4000301511112223'))).toMatchObject({ result_code: 'E', error_code: 10116 });
  });

  it.each([
    ['4000300611112224', true, 'Insufficient funds (F51)'],
    ['4000300611112224', false, 'Insufficient funds (51)'],
    ['4000300011112220', true, 'Card Declined (F)'],
    ['4000300011112220', false, 'Card Declined (00)'],
  ])('the decline of %s, with a letter: %s, says %s', async (number, declineLetters, error) => {
    await switchTo({ declineLetters });
    const declined = await sale(card(number));
    expect(declined).toMatchObject({ result_code: 'D', error });
    expect(await portal.get(`/transactions/${declined.key}`)).toMatchObject({ error });
  });

  it('a void of a settled sale is error 117 in its own words', async () => {
    const sold = await sale();
    await close();
    expect(await portal.run('void', { trankey: sold.key })).toMatchObject({
      result_code: 'E',
      error_code: 117,
      error: 'Transaction type is not voidable. Issue refund instead.',
    });
  });
});

describe('charges', () => {
  it.each([true, 1, '1', 'true'])(
    'a receipt is said to be mailed when send_receipt is %s',
    async (send_receipt) => {
      const answer = await sale({ email: 'ada@example.com', send_receipt });
      expect(answer.receipts).toEqual({ customer: 'Mail Sent Successfully' });
    },
  );

  it('no receipt is mailed without an address, unasked, or after a decline', async () => {
    for (const more of [
      { send_receipt: true },
      { email: 'ada@example.com' },
      { email: 'ada@example.com', send_receipt: true, ...card('4000300611112224') },
    ])
      expect(await sale(more)).not.toHaveProperty('receipts');
  });

  it('a holder beside a payment key counts when there is no customer key', async () => {
    const named = async (more: Record<string, unknown>): Promise<string> => {
      const answer = await portal.run('sale', {
        amount: '1.00',
        payment_key: await portal.paymentKey(),
        creditcard: { cardholder: 'Ada Byron' },
        billing_address: { firstname: 'Charles', lastname: 'Babbage' },
        ...more,
      });
      return answer.creditcard.cardholder;
    };
    expect(await named({})).toBe('Ada Byron');
    expect(await named({ custkey: 'dsddpf0skjps3rvh' })).toBe('Charles Babbage');
    expect(await named({ creditcard: undefined })).toBe('Charles Babbage');
  });

  it('cc:save tells the card and its holder, and the brand in capitals', async () => {
    const saved = await portal.run('cc:save', card('371122223332225', { cardholder: 'Ada Byron' }));
    expect(saved).toMatchObject({
      creditcard: { number: '3711xxxxxxxx2225', cardholder: 'Ada Byron' },
      savedcard: { type: 'AMEX' },
    });
  });

  it.each(['', 'NNN', '   '])('by the switch %j, a charge without an address is checked', async (code) => {
    await switchTo({ avsWithoutAddress: code });
    const first = await sale({ save_card: true });
    const creditcard = { number: first.savedcard.key, expiration: '0000' };
    const byToken = await portal.run('cc:authonly', { amount: '1.00', creditcard });
    const withZip = await sale(card(CARD, { avs_zip: '62704' }));
    const byKey = await portal.run('sale', {
      amount: '1.00',
      payment_key: await portal.paymentKey(),
      billing_address: { street: 'Maple Street 12' },
    });
    const results = [first, byToken, withZip, byKey].map(({ avs }: Answer) => avs.result_code);
    expect(results).toEqual([code || 'YYY', code || 'YYY', 'YYY', 'YYY']);
    expect(byToken).toMatchObject({ result_code: 'A' });
  });

  it.each(['recurring', 'installment', 'ucof', 'customer_intitiated'])(
    'the stored credential %s is taken with a card, a token and an authorization',
    async (stored_credential) => {
      const traits = { stored_credential };
      const first = await sale({ traits, save_card: true });
      const creditcard = { number: first.savedcard.key, expiration: '0000' };
      const held = await portal.run('cc:authonly', { amount: '1.00', traits, creditcard });
      expect([first.result_code, held.result_code]).toEqual(['A', 'A']);
    },
  );
});

describe('a second capture', () => {
  async function capturedTwice(): Promise<Answer[]> {
    const { key: trankey } = await portal.run('cc:authonly', { amount: '10.00', ...card() });
    const capture = (amount: string): Promise<Answer> => portal.run('cc:capture', { trankey, amount });
    return [await capture('10.00'), await capture('4.00'), await portal.get(`/transactions/${trankey}`)];
  }

  it('is error 10124', async () => {
    const [, second, found] = await capturedTwice();
    expect(second).toMatchObject({ result_code: 'E', error_code: 10124 });
    expect(found).toMatchObject({ trantype_code: 'L', amount: '10.00' });
  });

  it('is approved by switch, and changes nothing', async () => {
    await switchTo({ secondCapture: 'approved' });
    const [first, second, found] = await capturedTwice();
    expect(second).toEqual(first);
    expect(found).toMatchObject({ trantype_code: 'L', amount: '10.00' });
  });
});

describe('the refund of an unsettled sale', () => {
  const refund = async (command: string, more = {}): Promise<[Answer, Answer]> => {
    const { key: trankey } = await sale();
    const answer = await portal.run(command, { trankey, ...more });
    return [answer, await portal.get(`/transactions/${trankey}`)];
  };

  it('is error 115', async () => {
    expect((await refund('refund'))[0]).toMatchObject({ result_code: 'E', error_code: 115 });
    expect((await refund('quickrefund', { amount: '1.00' }))[0]).toMatchObject({ error_code: 115 });
  });

  it('is a refund by switch', async () => {
    await switchTo({ refundUnsettled: 'approved', quickRefundUnsettled: 'approved' });
    for (const [command, more] of [
      ['refund', {}],
      ['quickrefund', { amount: '1.00' }],
    ] as const) {
      const [answer, sold] = await refund(command, more);
      expect(answer).toMatchObject({ result_code: 'A', trantype: 'Credit Card Refund (Credit)' });
      expect(answer.key).not.toBe(sold.key);
    }
  });

  it('voids the whole sale by switch', async () => {
    await switchTo({ refundUnsettled: 'voids' });
    const [answer, sold] = await refund('refund', { amount: '1.00' });
    expect(answer).toMatchObject({ result_code: 'A', key: sold.key });
    expect(sold).toMatchObject({ trantype_code: 'V', amount: '10.00' });
  });
});

describe('batches', () => {
  it('the current one has its number as a text, and no sequence', async () => {
    await sale();
    const current = await portal.get('/batches/current');
    expect(current.batchrefnum).toMatch(/^\d+$/);
    expect(current).not.toHaveProperty('sequence');
  });

  it('the list has locked as true or false, and null for unknown values', async () => {
    await sale();
    await close();
    await sale();
    const { data } = await portal.get('/batches?limit=2');
    expect(data[0]).toMatchObject({
      locked: false,
      parent_sequence: null,
      closed: null,
      resubmitted: null,
      lockdate: null,
      trancutoff: null,
    });
    expect(data[1]).toMatchObject({ locked: true, closed: expect.any(String), lockdate: expect.any(String) });
  });
});
