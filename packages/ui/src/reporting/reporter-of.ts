import type { Reporter } from './telemetry.ts';

/** The sending part of the reporting library. Each app loads what else it needs. */
type Library = {
  captureException: (thrown: unknown) => unknown;
  captureMessage: (text: string, level: 'warning') => unknown;
  setUser: (user: { id: string } | null) => unknown;
};

export function reporterOf({ captureException, captureMessage, setUser }: Library): Reporter {
  return {
    send(report) {
      if (report.level === 'warning') captureMessage(report.text, 'warning');
      else captureException(report.thrown);
    },
    nameAccount: (id) => setUser(id === null ? null : { id }),
  };
}
