import { expect, test } from 'vitest';
import { importsIn, splitTests } from './unit-tests.ts';

test('reads imports of every form, and skips those of types alone', () => {
  const source = [
    "import { a } from './named.ts';",
    "import type { B } from './erased.ts';",
    "import './bare.ts';",
    "import {\n  c,\n  d,\n} from './several-lines.ts';",
    "export { e } from './passed-on.ts';",
    "const f = await import('./later.ts');",
    'export const g = 1;',
  ].join('\n');
  expect(importsIn(source)).toEqual([
    './named.ts',
    './bare.ts',
    './several-lines.ts',
    './passed-on.ts',
    './later.ts',
  ]);
});

test('a test that reaches the test database, a program or a browser is no unit test', () => {
  const files = [
    'packages/money/src/cents.test.ts',
    'apps/api/test/database/postgres.test.ts',
    'apps/api/test/access-matrix.test.ts',
    'tools/start.test.ts',
    'packages/gateway-emulator/src/browser/pay-js.browser.test.ts',
  ];
  expect(splitTests(files)).toEqual({
    unit: ['packages/money/src/cents.test.ts'],
    system: files.slice(1),
  });
});
