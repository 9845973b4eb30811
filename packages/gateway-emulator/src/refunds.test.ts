import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, CARD, card, control, GatewayClient } from '../test/gateway-client.ts';
import { merchantTime } from './merchants/merchant-time.ts';
import { type RunningEmulator, startEmulator } from './start-emulator.ts';
import { DEFAULT_SWITCHES } from './switches.ts';

// Where accounts settle and refund differently, or where nobody knows: each switch in both positions.

const DAY_SECONDS = 24 * 60 * 60;

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

const switchTo = (switches: Record<string, unknown>): Promise<Answer> =>
  control(emulator.url, 'POST', 'switches', switches);

const pass = (advanceSeconds: number): Promise<Answer> =>
  control(emulator.url, 'POST', 'clock', { advanceSeconds });

beforeEach(async () => {
  await control(emulator.url, 'DELETE', 'faults');
  await control(emulator.url, 'POST', 'reset', {});
  await switchTo({ ...DEFAULT_SWITCHES, delayScale: 0 });
});

const sell = (more: Record<string, unknown> = {}): Promise<Answer> => sellTo(CARD, more);

function sellTo(number: string, more: Record<string, unknown> = {}): Promise<Answer> {
  const { creditcard } = card(number) as { creditcard: object };
  return portal.run('cc:sale', {
    amount: '10.00',
    orderid: 'order-1',
    ...more,
    creditcard: { ...creditcard, expiration: '1240' },
  });
}

const settle = (): Promise<Answer> => portal.call('POST', '/batches/current/close');

async function settled(more: Record<string, unknown> = {}): Promise<Answer> {
  const sold = await sell(more);
  await settle();
  return sold;
}

const refund = (sold: Answer, more: Record<string, unknown> = {}): Promise<Answer> =>
  portal.run('refund', { trankey: sold.key, amount: '4.00', ...more });

const shown = ({ key }: Answer): Promise<Answer> => portal.get(`/transactions/${key}`);

const ledger = (): Promise<Answer> => control(emulator.url, 'GET', 'ledger');

it.each([117, 103, 26])(
  'the void of a settled sale is refused with %i, by switch',
  async (voidSettledCode) => {
    await switchTo({ voidSettledCode });
    const sold = await settled();
    expect(await portal.run('void', { trankey: sold.key })).toMatchObject({ error_code: voidSettledCode });
  },
);

it.each([
  ['settled', 'A', 118],
  ['captured', 118, 118],
  ['never', 'A', 26],
])(
  'with releaseRefused %s the release of a captured sale answers %s, of a settled one %s',
  async (releaseRefused, captured, afterwards) => {
    await switchTo({ releaseRefused, voidSettledCode: 26 });
    const release = async (sold: Answer): Promise<unknown> => {
      const answer = await portal.run('cc:void:release', { trankey: sold.key });
      return answer.error_code ?? answer.result_code;
    };
    expect([await release(await sell()), await release(await settled())]).toEqual([captured, afterwards]);
    expect(await portal.run('void', { trankey: (await sell()).key })).toMatchObject({ result_code: 'A' });
  },
);

const authorize = (): Promise<Answer> => portal.run('cc:authonly', { amount: '1.00', ...card() });

/** The error code of the answer, or its result. */
async function answerTo(command: string, { key: trankey }: Answer): Promise<unknown> {
  const { error_code, result_code } = await portal.run(command, { trankey });
  return error_code ?? result_code;
}

it.each([
  ['captured', 'A'],
  ['always', 118],
])('with releaseRefused %s the release of an authorization answers %s', async (releaseRefused, answer) => {
  await switchTo({ releaseRefused });
  expect(await answerTo('cc:void:release', await authorize())).toBe(answer);
});

it('what always refuses a release can still be voided', async () => {
  await switchTo({ releaseRefused: 'always' });
  const [held, sold] = [await authorize(), await sell()];
  expect(await answerTo('cc:void:release', sold)).toBe(118);
  for (const each of [held, sold]) {
    expect(await answerTo('void', each)).toBe('A');
    expect(await shown(each)).toMatchObject({ trantype_code: 'V', status_code: 'V' });
    expect(await answerTo('cc:void:release', each)).toBe(24);
  }
});

it.each([
  [0, 'A'],
  [83, 83],
])('with voidExpiredCode %s void and release of an expired authorization answer %s', async (code, answer) => {
  await switchTo({ voidExpiredCode: code, authorizationDays: 1 });
  const [one, other] = [await authorize(), await authorize()];
  await pass(DAY_SECONDS + 1);
  const young = await authorize();
  expect(await answerTo('void', one)).toBe(answer);
  expect(await answerTo('cc:void:release', other)).toBe(answer);
  expect(await answerTo('cc:void:release', young)).toBe('A');
});

/** The `HH:MM` in the merchant's zone that many seconds after the emulator's clock. */
async function minuteIn(seconds: number): Promise<string> {
  const { now } = await pass(0);
  return merchantTime(Date.parse(now) + seconds * 1000, DEFAULT_SWITCHES.timeZone).slice(11, 16);
}

it('batches close by themselves at the time of the switch, every day, and only then', async () => {
  await switchTo({ batchCloseAt: await minuteIn(3600) });
  const sold = await sell();
  await pass(3600 - 120);
  expect(await shown(sold)).toMatchObject({ status_code: 'P' });
  await pass(120);
  expect(await shown(sold)).toMatchObject({ status_code: 'S' });
  const later = await sell();
  await pass(DAY_SECONDS - 120);
  expect(await shown(later)).toMatchObject({ status_code: 'P' });
  await pass(240);
  expect(await shown(later)).toMatchObject({ status_code: 'S' });
});

it('a batch that closes by itself is also `closing` for a while', async () => {
  await switchTo({ batchCloseAt: await minuteIn(3600), batchCloseSeconds: 600 });
  const sold = await sell();
  await pass(3600);
  expect(await portal.run('void', { trankey: sold.key })).toMatchObject({ error_code: 101 });
  await pass(600);
  expect(await shown(sold)).toMatchObject({ status_code: 'S' });
});

it('without a time batches wait for a call', async () => {
  const sold = await sell();
  await pass(3 * DAY_SECONDS);
  expect(await shown(sold)).toMatchObject({ status_code: 'P' });
});

it.each([
  [true, 'B', 117, 115],
  [false, 'P', 101, 'A'],
])(
  'with showsSubmitted %s a closing batch shows %s, answers %s to a void and %s to a refund',
  async (showsSubmitted, status, toVoid, toRefund) => {
    await switchTo({ showsSubmitted, batchCloseSeconds: 600, refundUnsettled: 'approved' });
    const sold = await settled();
    expect(await shown(sold)).toMatchObject({ status_code: status });
    expect(await portal.run('void', { trankey: sold.key })).toMatchObject({ error_code: toVoid });
    const answer = await refund(sold);
    expect(answer.error_code ?? answer.result_code).toBe(toRefund);
    await pass(600);
    expect(await shown(sold)).toMatchObject({ status_code: 'S' });
    expect(await refund(sold)).toMatchObject({ result_code: 'A' });
  },
);

it.each([true, false])('the answer to a refund has its amount only by switch (%s)', async (has) => {
  await switchTo({ refundAnswersAmount: has });
  expect((await refund(await settled())).auth_amount).toBe(has ? '4.00' : undefined);
});

it.each([
  ['M', { amount: '4.00', clerk: 'another' }, true],
  ['M', { amount: '3.00' }, false],
  ['F', { amount: '4.00', clerk: 'mine' }, true],
  ['F', { amount: '4.00', clerk: 'another' }, false],
  ['O', { amount: '4.00', clerk: 'another' }, true],
  ['N', { amount: '4.00', clerk: 'mine' }, false],
])('folding %s of a refund with %j answers with the first one: %s', async (foldingMode, more, isFolded) => {
  await switchTo({ foldsRefunds: true, foldingMode });
  const sold = await settled();
  const first = await refund(sold, { clerk: 'mine' });
  const second = await refund(sold, more);
  expect(second).toMatchObject({ is_duplicate: isFolded ? 'Y' : 'N' });
  expect(second.key === first.key).toBe(isFolded);
});

it('a refund is never folded into the sale, and into no other refund without the switch', async () => {
  await switchTo({ foldsRefunds: true, foldingMode: 'M' });
  const sold = await settled();
  expect(await refund(sold, { amount: '5.00' })).toMatchObject({ is_duplicate: 'N' });
  await switchTo({ foldsRefunds: false });
  expect(await refund(sold, { amount: '5.00' })).toMatchObject({ is_duplicate: 'N' });
});

it('after the days of the switch a sale takes no refund (10134), and without days it always does', async () => {
  const sold = await settled();
  await pass(100 * DAY_SECONDS);
  await switchTo({ refundDays: 90 });
  expect(await refund(sold)).toMatchObject({ result_code: 'E', error_code: 10134 });
  await switchTo({ refundDays: 0 });
  expect(await refund(sold)).toMatchObject({ result_code: 'A' });
});

it.each([
  ['4000400011112228', 'D', '10257'],
  ['4000400111112227', 'E', 10128],
])('a sale on card %s is approved, and its refund ends as %s %s with a key', async (number, result, code) => {
  const sold = await sellTo(number);
  expect(sold).toMatchObject({ result_code: 'A' });
  await settle();
  const refused = await refund(sold, { amount: '10.00' });
  expect(refused).toMatchObject({ result_code: result, error_code: code, key: expect.any(String) });
  const { data } = await portal.get('/transactions');
  expect(data[0]).toMatchObject({ key: refused.key, trantype_code: 'C', result_code: result });
  expect(await refund(sold, { amount: '10.00' })).toMatchObject({ result_code: result });
});

it.each([
  ['decline', 'D'],
  ['error', 'E'],
])('a fault makes the refund of any card end as %s, and nothing goes back', async (fault, result) => {
  const sold = await settled();
  await control(emulator.url, 'POST', 'faults', { fault, command: 'refund' });
  expect(await refund(sold)).toMatchObject({ result_code: result, key: expect.any(String) });
  expect(await refund(sold, { amount: '10.00' })).toMatchObject({ result_code: 'A' });
});

it('a fault declines any card', async () => {
  await control(emulator.url, 'POST', 'faults', { fault: 'decline' });
  expect(await sell()).toMatchObject({ result_code: 'D', error_code: '10127' });
});

it('a refund and a void that come late are judged when they run', async () => {
  const sold = await sell();
  const hurry = AbortSignal.timeout(200);
  await control(emulator.url, 'POST', 'faults', { fault: 'late', command: 'void' });
  await fetch(`${emulator.url}/api/v2/transactions`, {
    method: 'POST',
    headers: { authorization: portal.authorization() },
    body: JSON.stringify({ command: 'void', trankey: sold.key }),
    signal: hurry,
  }).catch(() => undefined);
  await settle();
  await control(emulator.url, 'POST', 'faults/finish', {});
  expect(await shown(sold)).toMatchObject({ trantype_code: 'S', status_code: 'S' });
});

it('the ledger names the sale of a refund, its clerk and its batch, though lists drop the clerk', async () => {
  const sold = await settled();
  const refunded = await refund(sold, { clerk: 'r0' });
  const row = (await ledger()).find(({ key }: Answer) => key === refunded.key);
  expect(row).toMatchObject({ original: sold.key, clerk: 'r0', batch: refunded.batch.key });
  expect((await shown(refunded)).clerk).toBe('');
});

it('lists settled transactions in their batch, refunds included', async () => {
  const sold = await settled();
  const refunded = await refund(sold);
  const { body } = await settle();
  const { data } = await portal.get(`/batches/${body.key}/transactions`);
  expect(data.map(({ key }: Answer) => key)).toEqual([refunded.key]);
  expect(await shown(refunded)).toMatchObject({ trantype_code: 'C', status_code: 'S' });
});
