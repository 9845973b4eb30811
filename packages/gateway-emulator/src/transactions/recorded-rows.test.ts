import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, card, control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';
import { DEFAULT_SWITCHES, type Switches } from '../switches.ts';

// Rows as recorded answers show them.

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

const hold = (more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('cc:authonly', { amount: '10.00', ...card(), ...more });

const sale = (more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('cc:sale', { amount: '10.00', ...card(), ...more });

/** The newest transaction, as the list and as GET show it. */
async function newest(): Promise<{ row: Answer; detail: Answer }> {
  const row = (await portal.get('/transactions?limit=1')).data[0];
  return { row, detail: await portal.get(`/transactions/${row.key}`) };
}

describe('type and status', () => {
  async function expectShown(expected: Record<string, string>): Promise<void> {
    const { row, detail } = await newest();
    expect(row).toMatchObject(expected);
    expect(detail).toMatchObject(expected);
  }

  it('an authorization isn’t captured by itself, and a captured one is pending', async () => {
    const held = await hold();
    await expectShown({
      trantype_code: 'A',
      status_code: 'P',
      status: 'Authorized (Will not be captured)',
    });
    await portal.run('cc:capture', { trankey: held.key });
    await expectShown({ trantype_code: 'L', status_code: 'P', status: 'Authorized (Pending Settlement)' });
  });

  it('a released sale is V and R, a voided one V and V', async () => {
    await portal.run('cc:void:release', { trankey: (await sale()).key });
    await expectShown({ trantype_code: 'V', status_code: 'R', status: 'Voided (Funds Released)' });
    await portal.run('void', { trankey: (await sale()).key });
    await expectShown({ trantype_code: 'V', status_code: 'V', status: 'Voided' });
  });

  it.each(['V', 'A'] as const)('a released authorization is R, and %s by switch', async (type) => {
    await switchTo({ releasedAuthorizationType: type });
    await portal.run('cc:void:release', { trankey: (await hold()).key });
    await expectShown({ trantype_code: type, status_code: 'R' });
  });

  it('a refund is pending, and a voided refund Z and P', async () => {
    const sold = await sale();
    await portal.call('POST', '/batches/current/close');
    const refunded = await portal.run('refund', { trankey: sold.key });
    await expectShown({ trantype_code: 'C', status_code: 'P', status: 'Pending Settlement' });
    await portal.run('void', { trankey: refunded.key });
    await expectShown({ trantype_code: 'Z', status_code: 'P', status: 'Voided' });
  });

  it.each(['P', 'T', 'R', 'V', 'E'] as const)(
    'an authorization that has run out is %s by switch, and cannot be captured',
    async (status) => {
      await switchTo({ authorizationDays: 0, expiredAuthorizationStatus: status });
      const held = await hold();
      await expectShown({ trantype_code: 'A', status_code: status });
      const refused = await portal.run('cc:capture:error', { trankey: held.key });
      expect(refused).toMatchObject({ result_code: 'E', error_code: 10142 });
      expect((await control(emulator.url, 'GET', 'ledger')).at(-1)).toMatchObject({ status_code: 'X' });
    },
  );
});

describe('the fields of a row', () => {
  it('leaves out unset fields', async () => {
    await portal.run('cc:authonly', {
      amount: '10.00',
      creditcard: { number: '371122223332233', expiration: '1230', cvc: '1234' },
    });
    const { row, detail } = await newest();
    const left = Object.keys(detail).filter((name) => !(name in row));
    expect(left).toEqual(
      expect.arrayContaining(['orderid', 'invoice', 'description', 'cvc', 'custid', 'lineitems', 'clerk']),
    );
    expect(Object.values(row)).not.toContain('');
    await switchTo({ unsetFieldsInRows: true });
    expect((await newest()).row).toMatchObject({ orderid: '', description: '', custkey: '' });
  });

  it('a refund has no AVS and no CVC', async () => {
    const sold = await sale();
    await portal.call('POST', '/batches/current/close');
    await portal.run('refund', { trankey: sold.key });
    const { row } = await newest();
    expect(row).not.toHaveProperty('avs');
    expect(row).not.toHaveProperty('cvc');
  });

  it('shows set fields, but never the billing address', async () => {
    const set = { orderid: 'mine', invoice: '5', description: 'Windows' };
    await hold({ ...set, billing_address: { firstname: 'Ada', street: '1 High St' } });
    const { row, detail } = await newest();
    expect(row).toMatchObject({ ...set, avs: { result_code: 'YYY' } });
    expect(row).not.toHaveProperty('billing_address');
    expect(detail).toMatchObject({ ...set, billing_address: { first_name: 'Ada' } });
  });

  it('neither is_duplicate nor auth_amount nor the email of the payer reads back', async () => {
    await hold({ email: 'ada@example.com' });
    for (const shown of Object.values(await newest())) {
      for (const name of ['is_duplicate', 'auth_amount', 'customer_email', 'email'])
        expect(shown).not.toHaveProperty(name);
    }
  });

  it('the key of the customer is custkey', async () => {
    const { body: customer } = await portal.call('POST', '/customers', { company: 'Engines' });
    await sale({ custkey: customer.key });
    expect((await newest()).row).toMatchObject({ custkey: customer.key });
    const { data } = await portal.get(`/customers/${customer.key}/transactions`);
    expect(data).toMatchObject([{ custkey: customer.key }]);
  });

  it('quantities of line items have four decimals, and there is a rate of discount', async () => {
    await sale({ lineitems: [{ name: 'Window', cost: '5.00', qty: 2 }] });
    expect((await newest()).detail.lineitems).toEqual([
      { name: 'Window', cost: '5.00', qty: '2.0000', discount_rate: '0.0000' },
    ]);
  });

  it.each([false, true])(
    'a refund reads back with its clerk only by switch (%s)',
    async (echoesRefundClerk) => {
      await switchTo({ echoesRefundClerk });
      const sold = await sale();
      await portal.call('POST', '/batches/current/close');
      await portal.run('refund', { trankey: sold.key, clerk: 'ours-1', terminal: 'web' });
      const { row } = await newest();
      expect([row.clerk, row.terminal]).toEqual(
        echoesRefundClerk ? ['ours-1', 'web'] : [undefined, undefined],
      );
    },
  );
});

describe('the time of a row', () => {
  it.each([
    ['created', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
    ['datetime', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
    ['date', /^\d{4}-\d\d-\d\d$/],
  ] as const)('is called %s by switch', async (rowTime, form) => {
    await switchTo({ rowTime });
    await hold();
    const { row, detail } = await newest();
    const names = ['created', 'datetime', 'date'].filter((name) => name in row);
    expect(names).toEqual([rowTime]);
    expect(row[rowTime]).toMatch(form);
    expect(detail).toHaveProperty('created');
  });

  it('may be missing, or go by all names', async () => {
    await switchTo({ rowTime: 'mixed' });
    for (const _ of [1, 2, 3, 4]) await hold();
    const { data } = await portal.get('/transactions?limit=4');
    const names = data.map((row: Answer) => ['created', 'datetime', 'date'].find((name) => name in row));
    expect(new Set(names)).toEqual(new Set(['created', 'datetime', 'date', undefined]));
    await switchTo({ rowTime: 'none' });
    expect((await newest()).row).not.toHaveProperty('created');
  });
});

describe('the list', () => {
  it('has at most 500 rows a page', async () =>
    expect(await portal.get('/transactions?limit=501')).toMatchObject({ limit: 500 }));

  it('takes filters and fuzzy', async () => {
    await hold();
    const filters = encodeURIComponent(JSON.stringify({ orderid: 'nobody' }));
    const reply = await portal.call('GET', `/transactions?filters=${filters}&fuzzy=true&limit=1`);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toHaveLength(1);
  });
});
