import type { Logger } from 'pino';
import { createLog } from '../src/log.ts';

export type LogLine = Record<string, unknown> & { level: string; msg: string };

export type KeptLog = {
  log: Logger;
  lines: string[];
  events: () => LogLine[];
  clear: () => void;
  /** Resolves once this is logged. */
  logged: (msg: string) => Promise<void>;
};

/** The portal's own log, kept instead of printed. */
export function keepLog(): KeptLog {
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  const write = (line: string) => {
    lines.push(line);
    for (const hear of waiting) hear(line);
  };
  return {
    log: createLog('info', { write }),
    lines,
    events: () => lines.map((line) => JSON.parse(line) as LogLine),
    clear: () => void lines.splice(0),
    logged: (msg) =>
      new Promise((resolve) => {
        waiting.add(function hear(line) {
          if ((JSON.parse(line) as LogLine).msg !== msg) return;
          waiting.delete(hear);
          resolve();
        });
      }),
  };
}
