import { Readable } from 'node:stream';

/**
 * Streams text as it is made. Cuts a stalled reader off after `longestMilliseconds`, which a browser treats as a failed
 * download, so that nobody can hold resources forever. Calls `end` at least once when it is over.
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
  // If the reader leaves before the first piece, the generator never runs, so end it here.
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
