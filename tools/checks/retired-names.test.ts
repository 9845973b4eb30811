import { expect, test } from 'vitest';
import { findRetiredNames } from './retired-names.ts';

test('finds a retired name, and says where it is and what to say instead', () => {
  expect(findRetiredNames('apps/api/src/pay.ts', 'const a = 1;\npayBasket(a);')).toEqual([
    'apps/api/src/pay.ts:2 say payment: payBasket(a);',
  ]);
});

test.each([
  ['apps/api/src/sweep.ts', "import './settle-charges.ts';"],
  ['apps/api/src/pay.ts', '// Once the payment has settled.'],
  ['docs/api.md', 'Each refresh token of the family is traded once.'],
  ['apps/web/app/features/payments/list.tsx', 'const { chosen } = props;'],
  ['apps/api/src/pay.ts', '// The guest’s sale, once.'],
  ['docs/money-safety.md', 'It locks the intent first.'],
  ['docs/security.md', 'Sessions follow the database’s clock.'],
  ['apps/api/src/modules/office/import/stage-rows.ts', 'const session = await openSession(options);'],
  ['apps/api/src/modules/payments/refunds/plan-held-refund.ts', 'decision: ReviewDecision;'],
  ['packages/proof/src/simulation/simulate.ts', 'await followEngineClock(rig);'],
])('in %s finds: %s', (file, line) => {
  expect(findRetiredNames(file, line)).toHaveLength(1);
});

test.each([
  ['packages/gateway-emulator/src/batches.ts', '// The batch has settled.'],
  ['apps/api/src/sweep.ts', "if (state === 'settled') return;"],
  ['apps/api/src/db/migrations/0001-schema.sql', '-- A family of refresh tokens.'],
  ['apps/web/app/card.scss', 'font-family: Inter;'],
  ['docs/api.md', 'The sales tax of an invoice.'],
  [
    'apps/api/test/office-matrix/callers.ts',
    "return { cookie: await openSession(portal, staffId, 'full') };",
  ],
  ['apps/api/src/modules/payments/review/review-charge.ts', 'decision: ReviewDecision;'],
  ['apps/api/src/server.ts', 'const following = followEngineClock(clock, deps.db);'],
  ['apps/api/src/pay.ts', 'const made = await Promise.allSettled(work);'],
])('in %s lets stand: %s', (file, line) => {
  expect(findRetiredNames(file, line)).toEqual([]);
});
