import type { ImportChange, ImportFranchise } from '@brightpane/contract/office/imports';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { WhatChanges } from './what-changes.tsx';

const office = (franchiseId: number, name: string): ImportFranchise => ({
  ...{ franchiseId, name, created: 0, updated: 1, unchanged: 0, amountBefore: 108.25, amountAfter: 88.25 },
  ...{ nameChange: null, zoneChange: null },
});
const change = (franchiseId: number): ImportChange => ({
  ...{ franchiseId, workOrderNumber: 1042, line: franchiseId, kind: 'updated' },
  fields: [{ field: 'amount', before: 108.25, after: 88.25 }],
});
const OVERPAID = [{ franchiseId: 12, workOrderNumber: 1042, amount: 20 }];

test('a file of several offices says whose work order each is', () => {
  const franchises = [office(11, 'Clearwater Windows'), office(12, 'Bright Harbor')];
  const words = wordsOf(
    <WhatChanges franchises={franchises} changes={[change(11), change(12)]} overpaid={OVERPAID} />,
  );
  expect(words).toContain('Work order 1042 of Bright Harbor by $20.00');
  expect(words).toContain('Work order 1042 of Clearwater Windows, updated, line 11');
  expect(words).toContain('Work order 1042 of Bright Harbor, updated, line 12');
});

test('a file of one office does not repeat its name', () => {
  const words = wordsOf(
    <WhatChanges franchises={[office(12, 'Bright Harbor')]} changes={[change(12)]} overpaid={OVERPAID} />,
  );
  expect(words).toContain('Work order 1042 by $20.00');
  expect(words).toContain('Work order 1042, updated, line 12');
});
