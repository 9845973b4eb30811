import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CRASH_POINTS } from '../../../../../apps/api/src/crash-points.ts';
import { KINDS } from '../provider-faults/payments.ts';
import crashPoints from './group.ts';

const SOURCES = fileURLToPath(new URL('../../../../../apps/api/src', import.meta.url));
const TESTS = globSync(`${SOURCES}/**/*.test.ts`).map((path) => readFileSync(path, 'utf8'));

test.each(Object.keys(CRASH_POINTS))('one test file has to reach every crash point of %s', (area) => {
  const isThere = (source: string) =>
    (source.includes(`useCrashes(portal, '${area}')`) && source.includes('\ntestThatAllWereReached();')) ||
    source.includes(`test.each(Object.keys(CRASH_POINTS.${area}))`);
  expect(TESTS.filter(isThere)).toHaveLength(1);
});

/** Only payments over several accounts store an approval separately, or get a decline after a hold. */
const ONLY_SEVERAL = ['07', '08', '17', '18', '19'];

test.each(Object.keys(CRASH_POINTS.payments))(
  '%s is attacked in every kind of payment that comes to it',
  (point) => {
    const number = point.slice(0, 2);
    const ids = crashPoints.attacks.map(({ id }) => id).filter((id) => id.startsWith(`CP${number} `));
    const kinds = ONLY_SEVERAL.includes(number) ? ['three'] : KINDS;
    expect(ids.filter((id) => !id.includes('+'))).toEqual(kinds.map((kind) => `CP${number} ${kind}`));
  },
);

test.each(['CP07 three', 'CP08 three', 'CP17 three', 'CP19 three'])('%s is attacked at every pass', (id) => {
  expect(crashPoints.attacks.find((attack) => attack.id === id)?.runs).toBe(3);
});

test.each(Object.keys(CRASH_POINTS.office).filter((point) => /^(59|6\d)-/.test(point)))(
  '%s is attacked in every decision of a person',
  (point) => {
    const ids = crashPoints.attacks.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['release', 'close', 'reverse'].map((end) => `CP${point.slice(0, 2)} ${end}`)),
    );
  },
);

test('the matrix is as large as it is said to be', () => {
  const count = (isDouble: boolean) =>
    crashPoints.attacks
      .filter(({ id }) => id.includes('+') === isDouble)
      .reduce((sum, { runs }) => sum + runs, 0);
  expect(count(false)).toBeGreaterThanOrEqual(120);
  expect(count(true)).toBeGreaterThanOrEqual(100);
});
