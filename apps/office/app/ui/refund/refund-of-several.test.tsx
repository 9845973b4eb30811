import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { RefundPreview } from './refund-preview.tsx';
import { type Draft, previewOf, restsOf } from './what-goes-back.ts';
import { WhatGoesBackFields } from './what-goes-back-fields.tsx';

const FRANCHISES = [
  { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
  { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
];
/** What is left of work order 1042 of an office. */
const rests = (franchiseId: number, invoice: number) =>
  restsOf({
    ...{ franchiseId, workOrderNumber: 1042, invoice, tax: 0, services: 0, servicesTax: 0, tip: 0 },
    ...{ overpaid: 0, overpaidTax: 0, excess: 0 },
  });
const ALL = [rests(11, 100), rests(12, 100)];
const draft = (given: Partial<Draft>): Draft => ({
  ...{ shortcut: 'invoice', workOrder: '12/1042', amount: '', services: '', effect: 'due-again' },
  ...given,
});

const shown = (all: typeof ALL, given: Partial<Draft> = {}) =>
  wordsOf(
    <>
      <WhatGoesBackFields
        all={all}
        draft={draft(given)}
        state={{ errors: {}, isPending: false } as Parameters<typeof WhatGoesBackFields>[0]['state']}
      />
      <RefundPreview all={all} lines={previewOf(all, draft(given)) ?? []} effect="due-again" />
    </>,
    { franchises: FRANCHISES },
  );

test('a refund of one of two offices’ work orders says whose goes back, as both may have one number', () => {
  const words = shown(ALL);
  expect(words).toContain('1042 of Clearwater Windows: $100.00 1042 of Bright Harbor: $100.00');
  expect(words).toContain('$100.00 is due again on work order 1042 of Bright Harbor.');
});

test('a refund of both names each', () => {
  const words = shown(ALL, { shortcut: 'whole' });
  expect(words).toContain('Work order 1042 of Clearwater Windows Invoice $100.00');
  expect(words).toContain('Work order 1042 of Bright Harbor Invoice $100.00');
});

test('one office’s work orders go by their numbers', () => {
  expect(shown(ALL.slice(1))).toContain('is due again on work order 1042.');
});
