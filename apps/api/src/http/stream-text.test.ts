import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { streamText } from './stream-text.ts';

async function* pieces() {
  yield 'first ';
  yield 'last';
}

test('sends the pieces in order, and ends', async () => {
  const end = vi.fn(async () => {});
  expect(await text(streamText(pieces(), { longestMilliseconds: 60_000, end }))).toBe('first last');
  expect(end).toHaveBeenCalled();
});

test('cuts off a reader who stalls', async () => {
  const end = vi.fn(async () => {});
  const stream = streamText(pieces(), { longestMilliseconds: 1, end });
  const cut = await new Promise<Error>((resolve) => stream.once('error', resolve));
  expect(cut.message).toBe('a download took too long');
  await vi.waitFor(() => expect(end).toHaveBeenCalled(), 60_000);
});
