import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { MoreLocations } from './more-locations.tsx';

test.each([
  [0, 0, ''],
  [500, 500, ''],
  [500, 501, 'The first 500 of 501 are shown.'],
  [500, 1_204, 'The first 500 of 1,204 are shown.'],
])('of %i locations of %i it says %j', (shown, locationCount, words) => {
  const locations = Array(shown).fill(null) as OfficeCustomer['locations'];
  expect(wordsOf(<MoreLocations customer={{ locations, locationCount }} />)).toBe(words);
});
