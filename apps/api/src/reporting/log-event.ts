import { defaultStackParser, type ErrorEvent } from '@sentry/node';
import type { describeError } from '../log.ts';

/** What is reported about a logged error. */
export type LogEvent = Pick<ErrorEvent, 'level' | 'message' | 'exception' | 'extra' | 'tags' | 'fingerprint'>;

type ErrorLine = {
  level: string;
  msg?: string;
  err?: Description;
  requestId?: string;
  alert?: string;
  task?: string;
  [fact: string]: unknown;
};

type Description = ReturnType<typeof describeError>;

const REPORTED = ['error', 'fatal'] as const;

/**
 * Turns a log line into a report: nothing unless it is an error, and never more than the line contains. The log has
 * already reduced errors, so the line holds neither statement values nor request data.
 */
export function eventOfLine(text: string): LogEvent | null {
  // Skip parsing for most lines, which aren't errors.
  if (!REPORTED.some((level) => text.includes(`"level":"${level}"`))) return null;
  const {
    level,
    time: _time,
    msg = '',
    err,
    requestId,
    alert,
    task,
    ...extra
  } = JSON.parse(text) as ErrorLine;
  const reported = REPORTED.find((each) => each === level);
  if (!reported) return null;
  const tags = {
    ...(requestId && { requestId }),
    ...(alert && { alert }),
    ...(task && { task }),
  };
  if (err)
    return { level: reported, exception: { values: exceptionsOf(err) }, tags, extra: { ...extra, log: msg } };
  const message = alert ? `${msg}: ${alert}` : msg;
  return { level: reported, message, tags, extra, fingerprint: [message] };
}

/** An error and its causes, innermost first. */
function exceptionsOf(described: Description): NonNullable<NonNullable<LogEvent['exception']>['values']> {
  const { type, message, query, code, constraint, table, stack, cause } = described;
  const statement = [code, table, constraint, query].filter(Boolean).join(' ');
  return [
    ...(cause ? exceptionsOf(cause as Description) : []),
    {
      type: String(type),
      value: typeof message === 'string' ? message : statement,
      ...(typeof stack === 'string' && { stacktrace: { frames: defaultStackParser(stack) } }),
    },
  ];
}
