import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, the longest first: begun last, it would go on alone while the other cores have nothing to do. */
export const LONG_TESTS = [
  'packages/proof/src/prove/hangs/hangs.test.ts',
  'packages/proof/src/simulation/simulation.test.ts',
  'apps/api/src/modules/payments/refunds/crash-points.test.ts',
  'apps/api/src/modules/payments/engine/crash-points.test.ts',
  'apps/api/test/access-matrix.test.ts',
  'tools/start.test.ts',
  'apps/api/test/office-matrix/office-matrix.test.ts',
  'apps/api/src/modules/office/crash-points.test.ts',
];

/** Vitest's own order goes by what files took here before: where none have run yet, by their size. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: Pick<TestSpecification, 'moduleId'>): number {
  const rank = LONG_TESTS.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONG_TESTS.length : rank;
}
