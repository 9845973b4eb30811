import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { afterEach, expect, test, vi } from 'vitest';
import { takeBegunLookUp } from './begun-look-up.ts';

const LINK = 'franchiseNumber=101&workOrderNumber=1042&zipCode=62704';
const BODY = { franchiseId: '101', workOrderNumber: '1042', zipCode: '62704' };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The page at this address, whose script has run. */
async function openPage(search: string, { refreshToken = null as string | null, isLate = false } = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ workOrderNumber: 1042 }));
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('window', {
    location: { search: `?${search}` },
    localStorage: { getItem: (key: string) => (key === 'auth.refreshToken' ? refreshToken : null) },
  });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"apiSecret":"ours"}' }) });
  if (isLate) expect(takeBegunLookUp(BODY)).toBeUndefined();
  await import('./begin-look-up.ts');
  return fetch;
}

test('a link to an invoice is looked up as the app would do it, once', async () => {
  const fetch = await openPage(LINK);
  const { method, path } = ENDPOINTS.searchInvoice;
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    `/api${path}`,
    expect.objectContaining({
      method,
      headers: { 'X-APISecret': 'ours', 'Content-Type': 'application/json' },
      body: JSON.stringify(BODY),
    }),
  );
  expect(await takeBegunLookUp(BODY)).toEqual({ ok: true, data: { workOrderNumber: 1042 } });
  expect(takeBegunLookUp(BODY)).toBeUndefined();
});

test('the answer is not taken for another search', async () => {
  await openPage(LINK);
  expect(takeBegunLookUp({ ...BODY, zipCode: '62705' })).toBeUndefined();
  expect(takeBegunLookUp(BODY)).toBeUndefined();
});

test('a connection that breaks is told as by any other call', async () => {
  await openPage(LINK);
  window.begunLookUp = { body: JSON.stringify(BODY), response: Promise.reject(new TypeError('offline')) };
  expect(await takeBegunLookUp(BODY)).toMatchObject({ ok: false, problem: { status: 0 } });
});

test.each([
  ['without all three numbers', 'franchiseNumber=101&workOrderNumber=1042'],
  ['with letters', LINK.replace('1042', 'abc')],
  ['with a zero', LINK.replace('1042', '0')],
  ['with a card number', LINK.replace('1042', '4000100011112224')],
  ['with a card number for a zip code', LINK.replace('62704', '4000100011112224')],
])('an address %s is left to the app', async (_what, search) => {
  expect(await openPage(search)).not.toHaveBeenCalled();
});

test('who is signed in is led on without a look-up', async () => {
  expect(await openPage(LINK, { refreshToken: 'theirs' })).not.toHaveBeenCalled();
});

test('a script that runs after the app has asked begins nothing that would be taken later', async () => {
  expect(await openPage(LINK, { isLate: true })).not.toHaveBeenCalled();
  expect(takeBegunLookUp(BODY)).toBeUndefined();
});
