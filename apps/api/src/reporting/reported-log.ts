import type { DestinationStream } from 'pino';
import type { Reporter } from './reporter.ts';

/** Where a log is written to, so that what it says of errors is reported too: each error once, in the same words. */
export function reportedLog(destination: DestinationStream, reporter: Reporter): DestinationStream {
  return {
    write(line) {
      destination.write(line);
      reporter.takeLine(line);
    },
  };
}
