import { escapeInvisible } from '@brightpane/contract/escape-invisible';
import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequest } from './request-context.ts';

/**
 * Writes one JSON line per event to standard output. Nothing personal: ids and codes, never a
 * name, an address or a token.
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      mixin: () => ({ ...currentRequest() }),
      hooks: { streamWrite: escapeLine },
    },
    destination,
  );
}

/** What waits for a slow reader: some ten thousand lines. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * A full disk, a closed reader or one that stops reading costs log lines and nothing else. Written at once, a line would
 * keep the whole process waiting for such a reader.
 */
export function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING_BYTES });
  stream.on('error', () => {});
  return stream;
}

// Nearly every line, and several times faster to see.
const PLAIN = /^[ -~]*\n$/;

/** Keeps the line's own end. */
function escapeLine(line: string): string {
  return PLAIN.test(line) ? line : `${escapeInvisible(line.slice(0, -1))}\n`;
}

/**
 * What may be logged of an error. A failed statement's message contains its values, and the database repeats them, so
 * keep only the code, the constraint and the statement's text.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  if (error instanceof DrizzleQueryError) {
    return { type: error.name, query: error.query, ...databaseFacts(error.cause), stack: framesOf(error) };
  }
  if ('severity' in error) return { type: error.name, ...databaseFacts(error), stack: framesOf(error) };
  return {
    type: error.name,
    message: withoutPersonalData(error.message),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Libraries quote their input in messages, so remove addresses, long numbers and tokens. */
function withoutPersonalData(message: string): string {
  return message
    .replace(/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '[email]')
    .replace(/\d(?:[ -]?\d){8,}/g, '[number]')
    .replace(/[\w-]{32,}/g, '[token]');
}

function databaseFacts(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return {};
  const { code, constraint, table, cause } = error as Record<string, unknown>;
  // Why a statement got no connection is in that error's cause.
  return code === undefined ? databaseFacts(cause) : { code, constraint, table };
}

/** Stack frames without the message, with which a stack begins. */
function framesOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
