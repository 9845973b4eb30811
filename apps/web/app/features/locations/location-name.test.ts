import { describe, expect, test } from 'vitest';
import { locationAddress, locationName, namesAmong } from './location-name.ts';

const place = {
  locationId: 12,
  description: 'Home',
  addressLine1: 'Maple Street 12',
  city: 'Springfield',
  state: 'IL',
};
const nowhere = { addressLine1: '', city: ' ', state: '' };

describe('a location', () => {
  test.each([
    ['with a description', {}, 'Home', 'Maple Street 12, Springfield, IL'],
    ['without one', { description: '' }, 'Maple Street 12, Springfield, IL', ''],
    ['with a blank one', { description: ' \u00a0' }, 'Maple Street 12, Springfield, IL', ''],
    ['with one that cannot be seen', { description: '\u200b\u2060' }, 'Maple Street 12, Springfield, IL', ''],
    ['without one and without a state', { description: '', state: '' }, 'Maple Street 12, Springfield', ''],
    ['without an address', nowhere, 'Home', ''],
    ['without anything', { ...nowhere, description: '' }, 'Location 12', ''],
  ])('%s', (_what, given, name, address) => {
    const location = { ...place, ...given };
    expect([locationName(location), locationAddress(location)]).toEqual([name, address]);
  });
});

test('locations of one name are told apart by their addresses', () => {
  const places = [
    place,
    { ...place, locationId: 13, addressLine1: 'Oak Avenue 3' },
    { ...place, description: 'Work' },
  ];
  expect(places.map(namesAmong(places))).toEqual([
    'Home, Maple Street 12, Springfield, IL',
    'Home, Oak Avenue 3, Springfield, IL',
    'Work',
  ]);
});
