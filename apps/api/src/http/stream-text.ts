import { Readable } from 'node:stream';

/**
 * Text that leaves as it is made. A reader who stalls is cut off when `longestMilliseconds` are over, which a browser takes
 * for a failed download, so that nobody keeps what is held for it. `end` is called when it is over, at least once.
 */
export function streamText(
  pieces: AsyncIterable<string>,
  { longestMilliseconds, end }: { longestMilliseconds: number; end: () => Promise<void> },
): Readable {
  const stream = Readable.from(endAfter(pieces, end), { objectMode: false });
  const overdue = setTimeout(
    () => stream.destroy(new Error('a download took too long')),
    longestMilliseconds,
  );
  // Of a reader who went away before the first piece nothing is made, and so nothing ended either.
  return stream.once('close', () => {
    clearTimeout(overdue);
    void end();
  });
}

async function* endAfter(pieces: AsyncIterable<string>, end: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    await end();
  }
}
