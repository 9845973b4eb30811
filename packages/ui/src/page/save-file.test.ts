import { resolveObjectURL } from 'node:buffer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from './save-file.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a browser has time to read the file, and it is let go afterwards', async () => {
  const link = { href: '', download: '', click: vi.fn() };
  vi.stubGlobal('document', { createElement: () => link });
  saveFile('brightpane-2026-11-22.json', new Blob(['{"account":"ana@example.com"}']));
  expect(link.click).toHaveBeenCalledOnce();
  expect(link.download).toBe('brightpane-2026-11-22.json');
  vi.advanceTimersByTime(30_000);
  expect(await resolveObjectURL(link.href)?.text()).toBe('{"account":"ana@example.com"}');
  vi.advanceTimersByTime(60_000);
  expect(resolveObjectURL(link.href)).toBeUndefined();
});
