import type { Logger } from 'pino';
import { createLog } from '../src/log.ts';

export type LogLine = Record<string, unknown> & { level: string; msg: string };

/** The portal's own log, kept instead of printed. */
export function keepLog(): { log: Logger; lines: string[]; events: () => LogLine[]; clear: () => void } {
  const lines: string[] = [];
  return {
    log: createLog('info', { write: (line) => lines.push(line) }),
    lines,
    events: () => lines.map((line) => JSON.parse(line) as LogLine),
    clear: () => void lines.splice(0),
  };
}
