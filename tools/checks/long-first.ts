import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest tests, longest first: started last, they would run alone while the other cores are idle. */
export const LONG_TESTS = [
  'packages/proof/src/prove/hangs/hangs.test.ts',
  'packages/proof/src/simulation/simulation.test.ts',
  'apps/api/src/modules/payments/refunds/crash-points.test.ts',
  'apps/api/src/modules/payments/engine/crash-points.test.ts',
  'packages/proof/src/prove/restores/restores.test.ts',
  'apps/api/test/access-matrix.test.ts',
  'tools/start.test.ts',
  'apps/api/test/office-matrix/office-matrix.test.ts',
  'apps/api/src/modules/office/crash-points.test.ts',
  'apps/api/test/office-acts/office-acts.test.ts',
  'apps/web/app/lib/card-number-guard.test.ts',
];

/** Vitest's own order goes by earlier durations on this machine, or by file size if there are none. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: Pick<TestSpecification, 'moduleId'>): number {
  const rank = LONG_TESTS.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONG_TESTS.length : rank;
}
