import type {} from './begun-look-up.ts';

/** Longer than the server ever takes. */
const LONGEST_WAIT_MILLISECONDS = 90_000;

/** The numbers as offices print them. A card number is too long for any of them. */
const FRANCHISE = /^[1-9]\d{0,8}$/;
const WORK_ORDER = /^[1-9]\d{0,9}$/;
const ZIP_CODE = /^[\w -]{3,10}$/;

/**
 * Starts looking up the invoice that the address names, before the app has loaded. This is a script of its own in
 * `/guest-payment`, a few hundred bytes; the app gets the answer by `takeBegunLookUp`. Signed-in people are redirected
 * without a look-up.
 */
function beginLookUp(): void {
  const query = new URLSearchParams(window.location.search);
  const read = (name: string) => query.get(name)?.trim() ?? '';
  const franchiseId = read('franchiseNumber');
  const workOrderNumber = read('workOrderNumber');
  const zipCode = read('zipCode');
  const isClear = FRANCHISE.test(franchiseId) && WORK_ORDER.test(workOrderNumber) && ZIP_CODE.test(zipCode);
  // Later than the app, its answer would wait to be taken, and be old by then.
  const isLate = window.begunLookUp === null;
  if (isLate || !isClear || window.localStorage.getItem('auth.refreshToken')) return;
  const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as {
    apiSecret: string;
  };
  const body = JSON.stringify({ franchiseId, workOrderNumber, zipCode });
  const response = fetch('/api/user/invoice/search', {
    method: 'POST',
    headers: { 'X-APISecret': settings.apiSecret, 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS),
  });
  // The app reports this failure.
  response.catch(() => {});
  window.begunLookUp = { body, response };
}

try {
  beginLookUp();
} catch {
  // The browser blocks storage or is too old. The app makes the call itself.
}
