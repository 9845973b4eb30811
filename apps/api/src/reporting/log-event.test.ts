import type pino from 'pino';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { eventOfLine, type LogEvent } from './log-event.ts';

/** What is reported of one line written to the portal's log. */
function reportedOf(write: (log: pino.Logger) => void): LogEvent | null {
  const lines: string[] = [];
  write(createLog('trace', { write: (line) => void lines.push(line) }));
  return eventOfLine(lines[0] ?? '');
}

test('reports an alarm by its name, with its facts', () => {
  expect(
    reportedOf((log) => log.error({ chargeId: 7, alert: 'capture overdue' }, 'a charge needs attention')),
  ).toEqual({
    level: 'error',
    message: 'a charge needs attention: capture overdue',
    fingerprint: ['a charge needs attention: capture overdue'],
    tags: { alert: 'capture overdue' },
    extra: { chargeId: 7 },
  });
});

test('reports an error with its place, its cause and the task it broke', () => {
  const error = new TypeError('no such hold', { cause: new RangeError('too far') });
  const event = reportedOf((log) => log.fatal({ err: error, task: 'sweep-charges' }, 'a task failed'));
  expect(event).toMatchObject({
    level: 'fatal',
    tags: { task: 'sweep-charges' },
    extra: { log: 'a task failed' },
    exception: {
      values: [
        { type: 'RangeError', value: 'too far' },
        { type: 'TypeError', value: 'no such hold' },
      ],
    },
  });
  const frames = event?.exception?.values?.[1]?.stacktrace?.frames ?? [];
  expect(frames.at(-1)?.filename).toContain('log-event.test.ts');
});

test.each([
  ['a warning', (log: pino.Logger) => log.warn({ limit: 'sign-in' }, 'too many attempts')],
  ['a line that only speaks of errors', (log: pino.Logger) => log.info({ said: '"level":"error"' }, 'hello')],
  ['a line that quotes one', (log: pino.Logger) => log.info({ said: { level: 'error' } }, 'hello')],
])('does not report %s', (_what, write) => {
  expect(reportedOf(write)).toBeNull();
});
