import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, card, control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';

/** Keeps the byte order mark that `text()` drops. */
const RAW = new TextDecoder('utf-8', { ignoreBOM: true });

let emulator: RunningEmulator;
let portal: GatewayClient;

beforeAll(async () => {
  emulator = await startEmulator();
  portal = await GatewayClient.of(emulator.url);
});

afterAll(() => emulator.close());

beforeEach(async () => {
  await control(emulator.url, 'DELETE', 'faults');
  await control(emulator.url, 'POST', 'reset');
});

const fault = (fields: Record<string, unknown>): Promise<Answer> =>
  control(emulator.url, 'POST', 'faults', fields);

const ledger = (): Promise<Answer[]> => control(emulator.url, 'GET', 'ledger');

const hold = (orderid = 'order', amount = '10.00'): Promise<Answer> =>
  portal.run('cc:authonly', { amount, orderid, ...card() });

/** A hold whose caller gives up after that many milliseconds; undefined if it got no answer. */
async function impatientHold(milliseconds: number): Promise<Answer> {
  const signal = AbortSignal.timeout(milliseconds);
  const body = JSON.stringify({ command: 'cc:authonly', amount: '10.00', orderid: 'order', ...card() });
  const headers = { authorization: portal.authorization() };
  try {
    const response = await fetch(`${emulator.url}/api/v2/transactions`, {
      method: 'POST',
      headers,
      body,
      signal,
    });
    return await response.json();
  } catch {
    return undefined;
  }
}

describe('when and whom', () => {
  it.each(['hang', 'reset', 'status', 'truncate', 'bad-json', 'empty', 'html'])(
    '%s before the effect leaves no hold, after it leaves one, and neither is answered',
    async (kind) => {
      for (const [when, rows] of [
        ['before', 0],
        ['after', 1],
      ] as const) {
        await fault({ fault: kind, when });
        expect((await impatientHold(300))?.result_code).toBeUndefined();
        await expect.poll(ledger).toHaveLength(rows);
      }
    },
  );

  it('hits as many calls as times says, after letting through as many as after says', async () => {
    await fault({ fault: 'status', when: 'before', times: 2, after: 1 });
    const statuses = [];
    for (const _ of [1, 2, 3, 4]) {
      const body = { command: 'cc:authonly', amount: '1.00', ...card() };
      statuses.push((await portal.call('POST', '/transactions', body)).status);
    }
    expect(statuses).toEqual([200, 500, 500, 200]);
  });

  it('matches a command, or the beginning of several', async () => {
    await fault({ fault: 'status', when: 'before', command: 'cc:capture' });
    const held = await hold();
    expect(held.result_code).toBe('A');
    const captured = await portal.call('POST', '/transactions', {
      command: 'cc:capture:error',
      trankey: held.key,
    });
    expect(captured.status).toBe(500);
  });

  it('matches an order id, even if the call only names its transaction', async () => {
    await fault({ fault: 'status', when: 'before', orderId: 'chosen', after: 1 });
    const [other, chosen] = [await hold('other'), await hold('chosen')];
    expect(await portal.run('void', { trankey: other.key })).toMatchObject({ result_code: 'A' });
    expect(
      (await portal.call('POST', '/transactions', { command: 'void', trankey: chosen.key })).status,
    ).toBe(500);
  });

  it('matches an invoice, even if the call only names its transaction', async () => {
    await fault({ fault: 'status', when: 'before', invoice: '1042', after: 1 });
    const sale = { amount: '10.00', ...card() };
    const other = await portal.run('cc:authonly', { ...sale, invoice: '1043' });
    const chosen = await portal.run('cc:authonly', { ...sale, invoice: '1042' });
    expect(await portal.run('void', { trankey: other.key })).toMatchObject({ result_code: 'A' });
    expect(
      (await portal.call('POST', '/transactions', { command: 'void', trankey: chosen.key })).status,
    ).toBe(500);
  });

  it('leaves looking up alone unless it is named', async () => {
    await fault({ fault: 'status', when: 'before' });
    expect((await portal.call('GET', '/transactions')).status).toBe(200);
    await fault({ fault: 'status', when: 'before', command: 'list', status: 503 });
    expect((await portal.call('GET', '/transactions')).status).toBe(503);
  });

  it('is gone when the faults are cleared, and is refused when it makes no sense', async () => {
    await fault({ fault: 'status', when: 'before' });
    expect(await control(emulator.url, 'GET', 'faults')).toHaveLength(1);
    await control(emulator.url, 'DELETE', 'faults');
    expect(await hold()).toMatchObject({ result_code: 'A' });
    for (const body of [
      { fault: 'nonsense' },
      { fault: 'hang', when: 'sometimes' },
      { fault: 'hang', times: '2' },
    ])
      expect(await fault(body)).toHaveProperty('error');
  });

  it('does not spend a payment key on a call that came to nothing', async () => {
    const payment_key = await portal.paymentKey();
    await fault({ fault: 'status', when: 'before' });
    await portal.run('sale', { amount: '1.00', payment_key });
    expect(await portal.run('sale', { amount: '1.00', payment_key })).toMatchObject({ result_code: 'A' });
  });
});

describe('spoiled answers', () => {
  async function rawHold(): Promise<{ status: number; headers: Headers; text: string }> {
    const body = JSON.stringify({ command: 'cc:authonly', amount: '10.00', orderid: 'order', ...card() });
    const headers = { authorization: portal.authorization() };
    const init = { method: 'POST', headers, body, redirect: 'manual' as const };
    const response = await fetch(`${emulator.url}/api/v2/transactions`, init);
    return {
      status: response.status,
      headers: response.headers,
      text: RAW.decode(await response.arrayBuffer()),
    };
  }

  it.each([
    [401, 21002],
    [403, 156],
    [429, 155],
    [500, 19],
    [503, 19],
  ])('status %i carries errorcode %i', async (status, errorcode) => {
    await fault({ fault: 'status', when: 'before', status });
    const answer = await rawHold();
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: expect.any(String), errorcode });
  });

  it('a status may carry a body of its own', async () => {
    await fault({ fault: 'status', status: 200, body: '{"result_code":"A"}' });
    expect((await rawHold()).text).toBe('{"result_code":"A"}');
  });

  it.each([
    ['null', (text: string) => expect(text).toBe('null')],
    ['array', (text: string) => expect(text).toBe('[]')],
    ['empty', (text: string) => expect(text).toBe('')],
    ['html', (text: string) => expect(text).toContain('<h1>')],
    ['bad-json', (text: string) => expect(() => JSON.parse(text)).toThrow()],
    ['bom', (text: string) => expect(() => JSON.parse(text)).toThrow()],
    ['nan', (text: string) => expect(text).toContain('"auth_amount":NaN')],
    ['duplicate-keys', (text: string) => expect(text.match(/"result_code":"[AD]"/g)).toHaveLength(2)],
    ['number-strings', (text: string) => expect(JSON.parse(text).auth_amount).toBe(10)],
    ['oversized', (text: string) => expect(text.length).toBeGreaterThan(10 * 1024 * 1024)],
    ['gzip-bomb', (text: string) => expect(text.length).toBe(64 * 1024 * 1024)],
  ])('%s comes after the effect as it is called', async (kind, check) => {
    await fault({ fault: kind, when: 'after' });
    check((await rawHold()).text);
    expect(await ledger()).toHaveLength(1);
  });

  it('a redirect points somewhere and has no body', async () => {
    await fault({ fault: 'redirect' });
    expect(await rawHold()).toMatchObject({ status: 302, text: '' });
  });

  it.each(['slow-bytes', 'slow-headers'])('%s arrives whole when one waits long enough', async (kind) => {
    await fault({ fault: kind, when: 'after', seconds: kind === 'slow-bytes' ? 0.001 : 0.1 });
    expect(JSON.parse((await rawHold()).text)).toMatchObject({ result_code: 'A' });
  });

  it.each(['slow-bytes', 'slow-headers'])('%s is too slow for an impatient caller', async (kind) => {
    await fault({ fault: kind, when: 'after', seconds: kind === 'slow-bytes' ? 1 : 60 });
    expect(await impatientHold(200)).toBeUndefined();
    expect(await ledger()).toHaveLength(1);
  });
});

describe('answers that are readable and false', () => {
  it('wrong tells another amount than the one held', async () => {
    await fault({ fault: 'wrong', when: 'after' });
    expect(await hold()).toMatchObject({ result_code: 'A', auth_amount: '11.00' });
    expect(await ledger()).toMatchObject([{ amount: '10.00' }]);
  });

  it('wrong takes any fields', async () => {
    await fault({ fault: 'wrong', answer: { result_code: 'Q', currency: '978' } });
    expect(await hold()).toMatchObject({ result_code: 'Q', currency: '978' });
  });

  it('wrong before the effect claims an approval that nobody gave', async () => {
    await fault({ fault: 'wrong', when: 'before', answer: {} });
    expect(await hold()).toMatchObject({ result_code: 'A' });
    expect(await ledger()).toEqual([]);
  });

  it('wrong-orderid echoes the order id of somebody else', async () => {
    await fault({ fault: 'wrong-orderid' });
    expect(await hold()).toMatchObject({ orderid: 'somebody-elses-order' });
  });

  it('duplicate calls the charge a duplicate of itself', async () => {
    await fault({ fault: 'duplicate' });
    const answer = await hold();
    expect(answer).toMatchObject({ is_duplicate: 'Y', result_code: 'A' });
    expect(await ledger()).toMatchObject([{ key: answer.key, orderid: 'order' }]);
  });

  it('duplicate-other answers with an earlier charge', async () => {
    const earlier = await hold('earlier');
    await fault({ fault: 'duplicate-other', when: 'before' });
    expect(await hold('mine')).toMatchObject({ is_duplicate: 'Y', key: earlier.key });
    expect(await ledger()).toHaveLength(1);
  });
});

describe('outcomes that the ledger shares', () => {
  it.each([
    ['partial', 'P', '5.00'],
    ['verify', 'V', '10.00'],
    ['error', 'E', '10.00'],
  ])('%s is result %s, with a key', async (kind, result_code, amount) => {
    await fault({ fault: kind });
    const answer = await hold();
    expect(answer).toMatchObject({ result_code, key: expect.any(String) });
    expect(await ledger()).toMatchObject([{ key: answer.key, result_code, amount }]);
  });

  it('a hold to be verified can be released', async () => {
    await fault({ fault: 'verify' });
    const { key } = await hold();
    expect(await portal.run('cc:void:release', { trankey: key })).toMatchObject({ result_code: 'A' });
  });
});

describe('time', () => {
  it.each(['before', 'after'])('slow answers in full, with its wait %s the effect', async (when) => {
    await fault({ fault: 'slow', when, seconds: 0.05 });
    expect(await hold()).toMatchObject({ result_code: 'A' });
    expect(await ledger()).toHaveLength(1);
  });

  it('slow before the effect still has it when its caller has gone', async () => {
    await fault({ fault: 'slow', when: 'before', seconds: 300 });
    expect(await impatientHold(300)).toBeUndefined();
    expect(await ledger()).toEqual([]);
    expect(await control(emulator.url, 'POST', 'faults/resume', {})).toEqual({ resumed: 1 });
    await expect.poll(ledger).toHaveLength(1);
  });

  it('slow resumes on request, for one invoice only', async () => {
    for (const invoice of ['1', '2']) await fault({ fault: 'slow', seconds: 300, invoice });
    const held = ['1', '2'].map((invoice) =>
      portal.run('cc:authonly', { amount: '10.00', orderid: invoice, invoice, ...card() }),
    );
    const resume = (body: Answer) => control(emulator.url, 'POST', 'faults/resume', body);
    await expect.poll(() => resume({ invoice: '2' })).toEqual({ resumed: 1 });
    expect(await held[1]).toMatchObject({ result_code: 'A' });
    expect(await ledger()).toMatchObject([{ orderid: '2' }]);
    await expect.poll(() => resume({})).toEqual({ resumed: 1 });
    expect(await held[0]).toMatchObject({ result_code: 'A' });
  });

  it('late never answers, and takes effect on request', async () => {
    await fault({ fault: 'late', seconds: 300 });
    expect(await impatientHold(300)).toBeUndefined();
    expect(await ledger()).toEqual([]);
    expect(await control(emulator.url, 'POST', 'faults/finish')).toEqual({ finished: 1 });
    expect(await ledger()).toMatchObject([{ orderid: 'order', trantype_code: 'A' }]);
  });
});

describe('lists that mislead', () => {
  const ordersOf = ({ data }: Answer): string[] => data.map(({ orderid }: Answer) => orderid);

  beforeEach(async () => {
    for (const name of ['one', 'two', 'three', 'four']) await hold(name);
  });

  it('list-shift loses the row between two pages', async () => {
    await fault({ fault: 'list-shift', times: 2 });
    expect(ordersOf(await portal.get('/transactions?limit=2'))).toEqual(['four', 'three']);
    expect(ordersOf(await portal.get('/transactions?limit=2&offset=2'))).toEqual(['one']);
  });

  it('list-missing hides one order, list-empty-page a whole page', async () => {
    await fault({ fault: 'list-missing', orderId: 'three' });
    expect(ordersOf(await portal.get('/transactions'))).toEqual(['four', 'two', 'one']);
    await fault({ fault: 'list-empty-page' });
    expect(await portal.get('/transactions')).toMatchObject({ data: [], total: '4' });
  });

  it('list-duplicates and list-unordered do as they are called', async () => {
    await fault({ fault: 'list-duplicates' });
    expect(ordersOf(await portal.get('/transactions?limit=2'))).toEqual(['four', 'four', 'three', 'three']);
    await fault({ fault: 'list-unordered' });
    expect(ordersOf(await portal.get('/transactions'))).toEqual(['one', 'two', 'three', 'four']);
  });

  it('list-lag hides recent rows', async () => {
    await control(emulator.url, 'POST', 'clock', { advanceSeconds: 100 });
    await hold('young');
    await fault({ fault: 'list-lag', seconds: 50 });
    expect(ordersOf(await portal.get('/transactions'))).toEqual(['four', 'three', 'two', 'one']);
    expect(ordersOf(await portal.get('/transactions'))[0]).toBe('young');
  });

  it('list-stale does not count it either', async () => {
    const { total } = await portal.get('/transactions');
    await control(emulator.url, 'POST', 'clock', { advanceSeconds: 100 });
    await hold('younger');
    await fault({ fault: 'list-stale', seconds: 50 });
    const list = await portal.get('/transactions');
    expect(ordersOf(list)[0]).not.toBe('younger');
    expect(list.total).toBe(total);
    expect((await portal.get('/transactions')).total).toBe(String(Number(total) + 1));
  });
});
