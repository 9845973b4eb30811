import { describe, expect, test } from 'vitest';
import { areComplete, judgeNumbers, readSearchNumbers } from './three-numbers.ts';

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

describe('numbers that are none', () => {
  const franchise = { franchiseNumber: ['Invalid franchise number'] };
  const workOrder = { workOrderNumber: ['Invalid work order number'] };
  test.each([
    ['101', '1042', null],
    ['0', '1042', { message: 'Invalid franchise number', fieldErrors: franchise }],
    ['101', '00', { message: 'Invalid work order number', fieldErrors: workOrder }],
    ['101', '-1', { message: 'Invalid work order number', fieldErrors: workOrder }],
    ['101', '1.5', { message: 'Invalid work order number', fieldErrors: workOrder }],
    ['101', '1e3', { message: 'Invalid work order number', fieldErrors: workOrder }],
    ['', '1042', { message: 'Invalid franchise number', fieldErrors: franchise }],
    [
      'x',
      '0',
      { message: 'Please check your details and try again.', fieldErrors: { ...franchise, ...workOrder } },
    ],
  ])('franchise %j and work order %j', (franchiseNumber, workOrderNumber, refusal) => {
    expect(judgeNumbers({ franchiseNumber, workOrderNumber, zipCode: '62701' })).toEqual(refusal);
  });

  test('a card number is told to be one, in each field that holds one', () => {
    const typed = { franchiseNumber: '4000100011112224', workOrderNumber: '4222 2222 2222 2', zipCode: '0' };
    const sentence = 'Please take the card number out of this field.';
    expect(judgeNumbers(typed)).toEqual({
      message: sentence,
      fieldErrors: { franchiseNumber: [sentence], workOrderNumber: [sentence] },
    });
  });
});
