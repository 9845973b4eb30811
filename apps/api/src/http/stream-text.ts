import { Readable } from 'node:stream';

type Limits = { longestMilliseconds: number; stalledMilliseconds: number };

/**
 * Streams text as it is made. Cuts off a reader who takes longer than `longestMilliseconds` in all, or who takes nothing
 * for `stalledMilliseconds`, which a browser treats as a failed download, so that nobody can hold resources that others
 * wait for. Calls `end` at least once when it is over.
 */
export function streamText(
  pieces: AsyncIterable<string>,
  { longestMilliseconds, stalledMilliseconds, end }: Limits & { end: () => Promise<void> },
): Readable {
  let stalled: NodeJS.Timeout | undefined;
  const reads = () => clearTimeout(stalled);
  const waits = () => {
    stalled = setTimeout(
      () => stream.destroy(new Error('the reader of a download takes nothing')),
      stalledMilliseconds,
    );
  };
  // A small buffer, so that a slow reader is soon seen to take something.
  const stream = Readable.from(endAfter(whileRead(pieces, { reads, waits }), end), {
    objectMode: false,
    highWaterMark: BUFFERED_BYTES,
  });
  waits();
  const overdue = setTimeout(
    () => stream.destroy(new Error('a download took too long')),
    longestMilliseconds,
  );
  // If the reader leaves before the first piece, the generator never runs, so end it here.
  return stream.once('close', () => {
    reads();
    clearTimeout(overdue);
    void end();
  });
}

const BUFFERED_BYTES = 16 * 1024;

/** Tells when the reader is waited for: from each piece until the next is asked for. Making a piece is not their doing. */
async function* whileRead(
  pieces: AsyncIterable<string>,
  { reads, waits }: { reads: () => void; waits: () => void },
): AsyncGenerator<string> {
  reads();
  for await (const piece of pieces) {
    waits();
    yield piece;
    reads();
  }
}

async function* endAfter(pieces: AsyncIterable<string>, end: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    await end();
  }
}
