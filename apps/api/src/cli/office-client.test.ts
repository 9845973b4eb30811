import { expect, test, vi } from 'vitest';
import { createOfficeClient } from './office-client.ts';

test.each([
  ['UND_ERR_HEADERS_TIMEOUT', 'has not answered yet. It may still do what it was asked.'],
  ['ECONNREFUSED', 'Is it running?'],
])('says what is known after %s', async (code, words) => {
  const cause = Object.assign(new Error('no answer'), { code });
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }));
  await expect(createOfficeClient({}).call('reconcile', { json: {} })).rejects.toThrow(words);
  asked.mockRestore();
});
