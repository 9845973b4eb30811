import type { DestinationStream } from 'pino';
import type { Reporter } from './reporter.ts';

/** Wraps a log's destination, so that logged errors are also reported, each once and in the same words. */
export function reportedLog(destination: DestinationStream, reporter: Reporter): DestinationStream {
  return {
    write(line) {
      destination.write(line);
      reporter.takeLine(line);
    },
  };
}
