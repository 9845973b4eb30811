import { afterAll, beforeAll, expect, test } from 'vitest';
import { CRASH_POINTS, type CrashArea, type CrashPointOf } from '../../src/crash-points.ts';
import type { TestApp } from '../build-test-app.ts';
import { type CrashingPortal, CrashProcesses } from './crash-processes.ts';

export type Crashes<Area extends CrashArea> = {
  crashAt(point: CrashPointOf<Area>, pass?: number): Promise<CrashingPortal>;
  /** Call it last: adds a test that fails for points of the area that no test in the file reached. */
  testThatAllWereReached(): void;
};

/** Processes that kill themselves at an area's points, for the one test file that reaches all of them. */
export function useCrashes<Area extends CrashArea>(portal: TestApp, area: Area): Crashes<Area> {
  const reached = new Set<string>();
  let processes: CrashProcesses;
  beforeAll(() => {
    processes = new CrashProcesses(portal);
  });
  afterAll(() => processes.close());
  return {
    async crashAt(point, pass) {
      const crashing = await processes.crashAt(point, pass);
      return {
        ...crashing,
        async killed() {
          await crashing.killed();
          reached.add(point);
        },
      };
    },
    testThatAllWereReached() {
      test(`every crash point of ${area} has been reached by one of these tests`, () => {
        expect(Object.keys(CRASH_POINTS[area]).filter((point) => !reached.has(point))).toEqual([]);
      });
    },
  };
}
