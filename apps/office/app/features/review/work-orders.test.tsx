import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ChargesPart } from './charges-part.tsx';
import { FoundPaymentsPart } from './found-payments-part.tsx';
import { WorkOrders } from './work-orders.tsx';

const FRANCHISES = [
  { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
  { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
];
const ONE = { franchiseId: 11, workOrderNumber: 1042 };
const OTHER = { franchiseId: 12, workOrderNumber: 1042 };

test('work orders of several offices name theirs, as two may have one number', () => {
  const words = (workOrders: (typeof ONE)[]) =>
    wordsOf(<WorkOrders workOrders={workOrders} saysOffice />, { franchises: FRANCHISES });
  expect(words([ONE, OTHER])).toMatch(/1042 of Clearwater Windows.*1042 of Bright Harbor/);
  expect(words([ONE])).toBe('1042');
});

test.each([
  ['the portal’s account', null, '1042 of Bright Harbor'],
  ['an account of its own', 'Bright Harbor', '1042 Bright Harbor'],
])('a found payment on %s says whose work order it paid', (_, franchiseName, says) => {
  const found = {
    orderId: 'order',
    franchiseName,
    reference: 'reference',
    state: 'captured',
    amount: 20,
    isUnnamed: false,
    workOrders: [OTHER],
    version: 1,
  };
  expect(wordsOf(<FoundPaymentsPart found={[found]} />, { franchises: FRANCHISES })).toContain(says);
});

test('a charge says whose work order it is, also where two offices have one name', () => {
  const charge = {
    chargeId: 'charge',
    state: 'unknown',
    orderId: 'order',
    transactionKey: null,
    reference: null,
    reviewSince: '2026-11-20T18:00:00Z',
    amount: 20,
    workOrders: [OTHER],
    franchiseNames: ['Clearwater Windows'],
  };
  const franchises = FRANCHISES.map((each) => ({ ...each, name: 'Clearwater Windows' }));
  expect(wordsOf(<ChargesPart charges={[charge]} />, { franchises })).toContain(
    '1042 Clearwater Windows, 12',
  );
});
