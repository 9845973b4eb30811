import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, CARD, card, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

async function newCustomer(fields: Record<string, unknown> = {}): Promise<string> {
  const sent = { first_name: 'Ada', last_name: 'Byron', ...fields };
  return (await portal.call('POST', '/customers', sent)).body.key;
}

async function newMethod(custkey: string, number = CARD): Promise<Answer> {
  const item = { pay_type: 'cc', number, expiration: '1230', avs_postalcode: '02113' };
  return (await portal.call('POST', `/customers/${custkey}/payment_methods`, [item])).body[0];
}

it('4.1: a customer needs a company or both names', async () => {
  expect((await portal.call('POST', '/customers', { first_name: 'Ada' })).status).toBe(400);
  expect((await portal.call('POST', '/customers', { company: 'Analytical Engines' })).status).toBe(200);
});

it('4.1: a customer reads back in full, and two may have one customerid', async () => {
  const keys = [
    await newCustomer({ customerid: '7' }),
    await newCustomer({ customerid: '7', custom_fields: { 3: 'x' } }),
  ];
  expect(keys[0]).not.toBe(keys[1]);
  expect(await portal.get(`/customers/${keys[1]}`)).toMatchObject({
    key: expect.stringMatching(/^.{16}$/),
    type: 'customer',
    customerid: '7',
    custid: expect.stringMatching(/^\d{8}$/),
    first_name: 'Ada',
    street: '',
    custom_fields: { 1: null, 3: 'x', 20: null },
    billing_schedules: [],
    payment_methods: [],
  });
});

it('4.1: only the fields that are sent change, and an empty text clears', async () => {
  const key = await newCustomer({ city: 'London', phone: '555' });
  await portal.call('PUT', `/customers/${key}`, { phone: '' });
  expect(await portal.get(`/customers/${key}`)).toMatchObject({ city: 'London', phone: '' });
});

it('4.1: list rows leave schedules and methods out', async () => {
  const key = await newCustomer();
  const { data } = await portal.get('/customers?limit=1');
  expect(data[0].key).toBe(key);
  expect(data[0]).not.toHaveProperty('payment_methods');
});

it('4.1: a customer made from a transaction has its card', async () => {
  const sold = await portal.run('sale', {
    amount: '1.00',
    ...card(),
    billing_address: { firstname: 'Ada', lastname: 'Byron' },
  });
  const { body } = await portal.call('POST', '/customers', { transaction_key: sold.key });
  expect(body).toMatchObject({ first_name: 'Ada', payment_methods: [{ ccnum4last: '2224' }] });
});

it('4.1: a deleted customer is gone with its methods', async () => {
  const key = await newCustomer();
  const method = await newMethod(key);
  expect((await portal.call('DELETE', `/customers/${key}`)).body).toEqual({ status: 'success' });
  expect(await portal.call('GET', `/customers/${key}`)).toMatchObject({
    status: 404,
    body: { errorcode: 99999 },
  });
  expect((await portal.call('GET', `/customers/${key}/payment_methods/${method.key}`)).status).toBe(404);
  expect((await portal.call('DELETE', `/customers/${key}`)).body).toMatchObject({ errorcode: 21003 });
});

it('4.1: several customers go at once', async () => {
  const keys = [await newCustomer(), await newCustomer()];
  await portal.call('DELETE', '/customers/bulk', { keys });
  for (const key of keys) expect((await portal.call('GET', `/customers/${key}`)).status).toBe(404);
});

it('4.2: a method reads as the live API shows it', async () => {
  const key = await newCustomer();
  expect(await newMethod(key)).toMatchObject({
    key: expect.stringMatching(/^.{17}$/),
    type: 'customerpaymentmethod',
    expires: '1230',
    card_type: 'Visa',
    ccnum4last: '2224',
    avs_postalcode: '02113',
    sortord: '1',
    pay_type: 'cc',
  });
  expect(await newMethod(key)).toMatchObject({ sortord: '2' });
});

it('4.2: methods are added as a list, or bare, or from a transaction', async () => {
  const key = await newCustomer();
  const path = `/customers/${key}/payment_methods`;
  const sold = await portal.run('cc:authonly', { amount: '1.00', ...card('5555444433332226') });
  const item = { pay_type: 'transaction', transaction_key: sold.key };
  expect((await portal.call('POST', path, item)).body).toMatchObject([{ card_type: 'MasterCard' }]);
  const two = { pay_type: 'cc', number: CARD, expiration: '1230' };
  await portal.call('POST', path, [two, two]);
  const { data } = await portal.get(path);
  expect(data.map(({ sortord }: Answer) => sortord)).toEqual(['1', '2', '3']);
});

it('4.2: a bad card or an unknown kind of method is refused, and nothing is added', async () => {
  const key = await newCustomer();
  const path = `/customers/${key}/payment_methods`;
  const good = { pay_type: 'cc', number: CARD, expiration: '1230' };
  const bad = { pay_type: 'cc', number: '4000100011112225', expiration: '1230' };
  expect((await portal.call('POST', path, [good, bad])).body).toMatchObject({ errorcode: 13 });
  expect((await portal.call('POST', path, { pay_type: 'check' })).body).toMatchObject({ errorcode: 40458 });
  expect((await portal.get(path)).data).toEqual([]);
});

it('4.2: a method is changed, referred to and deleted', async () => {
  const key = await newCustomer();
  const method = await newMethod(key);
  const path = `/customers/${key}/payment_methods/${method.key}`;
  await portal.call('PUT', path, { method_name: 'Mine', expires: '0131' });
  expect(await portal.get(path)).toMatchObject({
    method_name: 'Mine',
    expires: '0131',
    avs_postalcode: '02113',
  });
  const reference = await portal.get(`${path}/cardref`);
  expect(reference).toMatchObject({ type: 'token', ccnumlast4: '2224', custkey: key, pmkey: method.key });
  const creditcard = { number: reference.cardref };
  expect(await portal.run('sale', { amount: '1.00', creditcard })).toMatchObject({ result_code: 'A' });
  expect((await portal.call('DELETE', path)).body).toEqual({ status: 'success' });
  expect((await portal.call('GET', path)).status).toBe(404);
});

it('4.2: customer:sale charges the named method, or the default one', async () => {
  const custkey = await newCustomer();
  await newMethod(custkey);
  const second = await newMethod(custkey, '5555444433332226');
  const byDefault = await portal.run('customer:sale', { custkey, amount: '1.00' });
  expect(byDefault).toMatchObject({ result_code: 'A', creditcard: { type: 'V' }, cvc: { result_code: 'P' } });
  const named = await portal.run('customer:sale', { custkey, paymethod_key: second.key, amount: '2.00' });
  expect(named).toMatchObject({ creditcard: { type: 'M' } });
  const { data } = await portal.get(`/customers/${custkey}/transactions`);
  expect(data.map(({ key }: Answer) => key)).toEqual([named.key, byDefault.key]);
});

it('4.2: customer:sale names the missing field', async () => {
  const custkey = await newCustomer();
  const codes = [];
  for (const fields of [{ custkey: 'nobody' }, { custkey }, { custkey, paymethod_key: 'none' }])
    codes.push((await portal.run('customer:sale', { amount: '1.00', ...fields })).error_code);
  expect(codes).toEqual([40030, 40457, 40453]);
});

it('4.2: customer:refund sends money to the stored card', async () => {
  const custkey = await newCustomer();
  await newMethod(custkey);
  const answer = await portal.run('customer:refund', { custkey, amount: '1.00' });
  expect(answer).toMatchObject({ result_code: 'A', trantype: 'Credit Card Refund (Credit)' });
});

it('4.2: a sale can save customer and card, or add the card to a customer', async () => {
  const both = { save_customer: true, save_customer_paymethod: true };
  const billing_address = { firstname: 'Ada', lastname: 'Byron' };
  const sold = await portal.run('sale', { amount: '1.00', ...card(), ...both, billing_address });
  expect(sold.customer).toEqual({ custkey: expect.any(String), paymethod_key: expect.any(String) });
  expect(await portal.get(`/customers/${sold.customer.custkey}`)).toMatchObject({
    last_name: 'Byron',
    payment_methods: [{ key: sold.customer.paymethod_key }],
  });
  const { custkey } = sold.customer;
  const payment_key = await portal.paymentKey('5555444433332226');
  await portal.run('sale', { amount: '1.00', payment_key, custkey, save_customer_paymethod: true });
  expect((await portal.get(`/customers/${custkey}/payment_methods`)).total).toBe('2');
});

it('4.2: a decline saves nobody', async () => {
  const before = (await portal.get('/customers')).total;
  const declined = await portal.run('sale', {
    amount: '1.00',
    ...card('4000300611112224'),
    save_customer: true,
  });
  expect(declined).not.toHaveProperty('customer');
  expect((await portal.get('/customers')).total).toBe(before);
});
