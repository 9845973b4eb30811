import { expect, test } from 'vitest';
import { franchiseNames } from './franchise-names.ts';

test('a franchise goes by its name, and by its number too where two have one name', () => {
  const nameOf = franchiseNames([
    { franchiseId: 11, name: 'Clearwater Windows' },
    { franchiseId: 12, name: 'Bright Harbor' },
    { franchiseId: 13, name: 'Clearwater Windows' },
  ]);
  expect([11, 12, 13, 14].map(nameOf)).toEqual([
    'Clearwater Windows, 11',
    'Bright Harbor',
    'Clearwater Windows, 13',
    '14',
  ]);
});
