import type { PaymentLine, PaymentShare } from '@brightpane/contract/office/payments';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { WhatWasPaid } from './what-was-paid.tsx';

const LINE = {
  ...{ workOrderNumber: 1042, customerNumber: 501, customerName: 'Cora Credit' },
  ...{ address: '12 Juniper Lane', service: 'Windows', note: null, creditLookedAt: null },
  ...{ invoice: 100, tax: 8.25, services: -10, servicesTax: -0.83, tip: 0, total: 97.42 },
};

const shown = (acceptedAt: string | null, refunded: number, given: Partial<PaymentLine> = {}) =>
  wordsOf(
    <WhatWasPaid
      shares={[
        {
          chargeId: 'a',
          franchiseId: 11,
          acceptedAt,
          lines: [{ ...LINE, refunded, ...given }],
        } as PaymentShare,
      ]}
    />,
  );

test('an accepted credit waits to be looked at, however much of its payment went back', () => {
  for (const refunded of [0, 50, 97.42]) {
    expect(shown('2026-11-21T20:06:00Z', refunded)).toContain('Nobody has looked at the credit yet.');
  }
});

test('a credit of a payment that was not accepted does not', () => {
  expect(shown(null, 0)).not.toContain('credit');
});

test('a credit that somebody looked at shows what they noted', () => {
  const creditLookedAt = '2026-11-22T15:00:00Z';
  const looked = (creditLookedNote: string | null) =>
    shown('2026-11-21T20:06:00Z', 0, { creditLookedAt, creditLookedNote });
  expect(looked('She sent a picture.')).toMatch(/The credit was looked at .+ \. She sent a picture\.$/);
  expect(looked(null)).toMatch(/The credit was looked at .+ \.$/);
});

test('work orders of two offices name theirs, which may have the same number', () => {
  const shares = [
    { chargeId: 'a', franchiseId: 11, acceptedAt: null, lines: [{ ...LINE, refunded: 0 }] },
    { chargeId: 'a', franchiseId: 12, acceptedAt: null, lines: [{ ...LINE, refunded: 0 }] },
  ] as PaymentShare[];
  const franchises = [
    { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
    { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
  ];
  const words = wordsOf(<WhatWasPaid shares={shares} />, { franchises });
  expect(words).toContain('1042 of Clearwater Windows Cora Credit');
  expect(words).toContain('1042 of Bright Harbor Cora Credit');
  expect(wordsOf(<WhatWasPaid shares={shares.slice(1)} />, { franchises })).toContain('1042 Cora Credit');
});
