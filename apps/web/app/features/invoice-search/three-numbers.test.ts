import { describe, expect, test } from 'vitest';
import { areComplete, readSearchNumbers } from './three-numbers.ts';

describe('the three numbers of a query', () => {
  test.each([
    ['franchiseNumber=101&workOrderNumber=1042&zipCode=62701', true],
    ['franchiseNumber=101&workOrderNumber=1042', false],
    ['franchiseNumber=101&workOrderNumber=1042&zipCode=', false],
    ['franchiseNumber=%20&workOrderNumber=1042&zipCode=62701', false],
    ['', false],
  ])('%j are complete: %j', (query, complete) => {
    expect(areComplete(readSearchNumbers(new URLSearchParams(query)))).toBe(complete);
  });

  test('are taken without the space around them', () => {
    const query = new URLSearchParams('franchiseNumber=+101&workOrderNumber=1042+&zipCode=K1A+0B1');
    expect(readSearchNumbers(query)).toEqual({
      franchiseNumber: '101',
      workOrderNumber: '1042',
      zipCode: 'K1A 0B1',
    });
  });
});
