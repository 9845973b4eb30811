import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { streamText } from './stream-text.ts';

async function* pieces() {
  yield 'first ';
  yield 'last';
}

const LIMITS = { longestMilliseconds: 60_000, stalledMilliseconds: 30_000 };

afterEach(() => vi.useRealTimers());

/** Timers only: streams work on by themselves. */
const useFakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('sends the pieces in order, and ends', async () => {
  const end = vi.fn(async () => {});
  expect(await text(streamText(pieces(), { ...LIMITS, end }))).toBe('first last');
  expect(end).toHaveBeenCalled();
});

test('cuts off a reader who takes too long in all', async () => {
  const end = vi.fn(async () => {});
  const stream = streamText(pieces(), { ...LIMITS, longestMilliseconds: 1, end });
  const cut = await new Promise<Error>((resolve) => stream.once('error', resolve));
  expect(cut.message).toBe('a download took too long');
  await vi.waitFor(() => expect(end).toHaveBeenCalled(), 60_000);
});

test('cuts off a reader who never begins', async () => {
  useFakeTimers();
  const end = vi.fn(async () => {});
  const stream = streamText(pieces(), { ...LIMITS, end });
  const cut = new Promise<Error>((resolve) => stream.once('error', resolve));
  vi.advanceTimersByTime(30_000);
  expect((await cut).message).toBe('the reader of a download takes nothing');
  expect(end).toHaveBeenCalled();
});

test('cuts off a reader who stops, long before the time in all is over', async () => {
  useFakeTimers();
  const end = vi.fn(async () => {});
  async function* long() {
    for (;;) yield 'x'.repeat(100_000);
  }
  const stream = streamText(long(), { longestMilliseconds: 600_000, stalledMilliseconds: 30_000, end });
  const reading = stream[Symbol.asyncIterator]();
  // A reader who takes something now and then may be slow.
  for (let count = 0; count < 4; count++) {
    await reading.next();
    vi.advanceTimersByTime(29_000);
  }
  expect(end).not.toHaveBeenCalled();
  const cut = new Promise<Error>((resolve) => stream.once('error', resolve));
  vi.advanceTimersByTime(30_000);
  expect((await cut).message).toBe('the reader of a download takes nothing');
  expect(end).toHaveBeenCalled();
});

test('lets a reader wait for a piece that is long in the making', async () => {
  useFakeTimers();
  const made = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  async function* slow() {
    yield 'first ';
    asked.resolve();
    await made.promise;
    yield 'last';
  }
  const taken = text(streamText(slow(), { ...LIMITS, end: async () => {} }));
  await asked.promise;
  vi.advanceTimersByTime(59_000);
  made.resolve();
  expect(await taken).toBe('first last');
});

test.each([
  ['its time is over', () => vi.advanceTimersByTime(60_000)],
  ['the reader leaves', (stream: Readable) => stream.destroy()],
])('ends once %s, though the next piece never comes', async (_when, happen) => {
  useFakeTimers();
  const asked = Promise.withResolvers<void>();
  async function* stuck() {
    asked.resolve();
    yield await new Promise<string>(() => {});
  }
  const end = vi.fn(async () => {});
  const stream = streamText(stuck(), { ...LIMITS, end });
  stream.resume();
  await asked.promise;
  happen(stream);
  expect(end).toHaveBeenCalledTimes(1);
});
