import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { MorePayments } from './more-payments.tsx';

const shown = (hasMorePayments: boolean) =>
  wordsOf(<MorePayments invoice={{ franchiseId: 11, workOrderNumber: 1042, hasMorePayments }} />);

test('payments that may not be all lead to the whole list', () => {
  expect(shown(true)).toBe(
    'The newest 50 are shown, and paid ones before them. All payments of this work order',
  );
  expect(shown(false)).toBe('');
});
