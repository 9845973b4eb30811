import { Readable } from 'node:stream';

type Limits = { longestMilliseconds: number; stalledMilliseconds: number };

/**
 * Streams text as it is made. Cuts off a reader who takes longer than `longestMilliseconds` in all, or who takes nothing
 * for `stalledMilliseconds`, which a browser treats as a failed download, so that nobody can hold resources that others
 * wait for. Calls `end` once when it is over, or as soon as the reader is gone or cut off: the piece in the making may
 * never come, so `end` has to stop it.
 */
export function streamText(
  pieces: AsyncIterable<string>,
  { longestMilliseconds, stalledMilliseconds, end }: Limits & { end: () => Promise<void> },
): Readable {
  let ending: Promise<void> | undefined;
  const endOnce = () => {
    ending ??= end();
    return ending;
  };
  let stalled: NodeJS.Timeout | undefined;
  const reads = () => clearTimeout(stalled);
  const waits = () => {
    stalled = setTimeout(
      () => stream.destroy(new Error('the reader of a download takes nothing')),
      stalledMilliseconds,
    );
  };
  // A small buffer, so that a slow reader is soon seen to take something.
  const stream = Readable.from(endAfter(whileRead(pieces, { reads, waits }), endOnce), {
    objectMode: false,
    highWaterMark: BUFFERED_BYTES,
  });
  waits();
  const overdue = setTimeout(
    () => stream.destroy(new Error('a download took too long')),
    longestMilliseconds,
  );
  // Otherwise a stream is only destroyed, and closes, once its generator has made the piece that it is at.
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, done) => {
    void endOnce();
    destroy(error, done);
  };
  return stream.once('close', () => {
    reads();
    clearTimeout(overdue);
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
