import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { OfficeNav } from './office-nav.tsx';

const wordsWith = (each: number) =>
  wordsOf(<OfficeNav waiting={{ credits: each, overpaid: each, refunds: each, review: each }} />, {
    rights: ['view', 'review'],
  });

test('one that waits is said as one', () => {
  const words = wordsWith(1);
  for (const one of ['1 credit to look at', '1 overpaid', '1 waits for somebody', '1 to review']) {
    expect(words).toContain(one);
  }
});

test('several that wait are said as several', () => {
  const words = wordsWith(2);
  for (const many of ['2 credits to look at', '2 overpaid', '2 wait for somebody', '2 to review']) {
    expect(words).toContain(many);
  }
});
