import type { AuditItem } from '@brightpane/contract/office/audit';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { BeforeAfter } from './before-after.tsx';

const ENTRY: AuditItem = {
  ...{ id: 1, at: '2026-11-21T20:06:00Z', timeZone: 'America/Chicago' },
  who: { kind: 'staff', name: 'robin@example.com' },
  ...{ action: 'end-access', subject: 'customer 11/501', href: null, franchiseId: 11 },
  ...{ before: null, after: null, reason: null, requestId: null },
};

test('an act without values before and after opens to whom it was about', () => {
  expect(wordsOf(<BeforeAfter entry={{ ...ENTRY, detail: { person: 'ana@example.com' } }} />)).toBe(
    'Details of End access, Customer 11/501 Person: ana@example.com',
  );
});

test('an act with values shows them before its further facts', () => {
  const entry = {
    ...ENTRY,
    before: { state: 'waiting' },
    after: { state: 'made' },
    detail: { amountCents: 2000 },
  };
  expect(wordsOf(<BeforeAfter entry={entry} />)).toMatch(
    /^Before and after .+ State Waiting Made Amount: \$20\.00$/,
  );
});
