/** Limits reports per minute; the first one of a later minute tells how many were dropped. */
export type ReportGate = { pass(): { dropped: number } | null };

/** Counts in memory: losing reports does no harm, and a flood of them must not reach the database. */
export function createReportGate({ perMinute, clock }: { perMinute: number; clock: () => Date }): ReportGate {
  let minute = 0;
  let passed = 0;
  let dropped = 0;
  return {
    pass() {
      const now = Math.floor(clock().getTime() / 60_000);
      if (now !== minute) {
        minute = now;
        passed = 0;
      }
      if (passed >= perMinute) {
        dropped += 1;
        return null;
      }
      passed += 1;
      const before = dropped;
      dropped = 0;
      return { dropped: before };
    },
  };
}
