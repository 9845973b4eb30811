import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type Logger } from 'pino';

/** One JSON line an event, to standard output. Nothing personal: ids and codes, never a name, an address or a token. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
}

/**
 * What may be written of an error. A failed statement carries its values in its message, and the database repeats
 * them in its own, so of these only code, constraint and the statement's text are kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  if (error instanceof DrizzleQueryError) {
    return { type: error.name, query: error.query, ...databaseFacts(error.cause), stack: framesOf(error) };
  }
  if ('severity' in error) return { type: error.name, ...databaseFacts(error), stack: framesOf(error) };
  return {
    type: error.name,
    message: error.message,
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function databaseFacts(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return {};
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return { code, constraint, table };
}

/** Where it happened, without the message that a stack begins with. */
function framesOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
