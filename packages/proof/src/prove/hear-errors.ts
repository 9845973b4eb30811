import type { Logger } from 'pino';
import { createLog } from '../../../../apps/api/src/log.ts';

/** A portal's log, and what was thrown where nobody heard of it: in background work. */
export type HeardErrors = {
  log: Logger;
  /** The exceptions since the last time, in words. */
  take(): string[];
};

/** For attacks in which nothing may throw: they only act at the same time, and each loser has an answer. */
export function hearErrors(): HeardErrors {
  const heard: string[] = [];
  const log = createLog('error', {
    write(line: string) {
      const { msg, err } = JSON.parse(line) as { msg: string; err?: Record<string, unknown> };
      if (err) heard.push(`an exception was logged: ${msg}: ${JSON.stringify(err)}`);
    },
  });
  return { log, take: () => heard.splice(0) };
}
