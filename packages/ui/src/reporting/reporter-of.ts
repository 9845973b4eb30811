import type { Reporter } from './telemetry.ts';

/** The part of the reporting library that sends. Which others are loaded is each app's own choice. */
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
