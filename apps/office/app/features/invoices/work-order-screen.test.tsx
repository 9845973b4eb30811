import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { WorkOrderScreen } from './work-order-screen.tsx';

const INVOICE: OfficeInvoice = {
  ...{ franchiseId: 11, franchiseName: 'Clearwater Windows', workOrderNumber: 1042, version: 3 },
  timeZone: 'America/Chicago',
  customer: { customerNumber: 501, name: 'Ana Ruiz' },
  ...{ address: '12 Juniper Lane', service: 'Windows', completedDate: null, dueDate: null },
  ...{ amount: 108.25, tax: 8.25, taxRate: 0.0825, paid: 108.25, paidElsewhere: 0, balance: 0, overpaid: 0 },
  ...{ status: 'paid', tipsEnabled: true, pdfLink: '/a.pdf', pngLink: '/a.png' },
  qr: { url: 'https://pay.example', size: 21, path: 'M0 0h7v1h-7z' },
  location: {
    ...{ locationNumber: 1, description: 'Home', addressLine1: '12 Juniper Lane' },
    ...{ city: 'Springfield', state: 'IL', zipCode: '62704' },
  },
  ...{ payments: [], hasMorePayments: false, refunds: [], history: [], notes: [] },
};

const shown = (given: Partial<OfficeInvoice>) =>
  wordsOf(<WorkOrderScreen invoice={{ ...INVOICE, ...given }} />);

test('an amount that a refund credited says what the office’s file has', () => {
  expect(shown({ amount: 88.25, tax: 6.73, paid: 88.25, credited: 20 })).toContain(
    'Amount $88.25 , with $6.73 of sales tax Credited $20.00 (your file says $108.25 )',
  );
});

test('an amount that is the file’s names no credit', () => {
  expect(shown({ credited: 0 })).not.toContain('Credited');
  // As an instance from before an update answers.
  expect(shown({})).not.toContain('Credited');
});

test('the history names what a refund credited', () => {
  const history: OfficeInvoice['history'] = [
    {
      ...{ at: '2026-11-21T20:06:00Z', kind: 'refund', by: 'portal', importId: null },
      changes: [
        { field: 'paid', before: 108.25, after: 88.25 },
        { field: 'credited', before: 0, after: 20 },
      ],
    },
  ];
  expect(shown({ history })).toContain('Credited, off the amount: $0.00 → $20.00');
});

test('a refund that is of another office’s work orders, too, names each one’s office', () => {
  const line = {
    ...{ franchiseId: 11, workOrderNumber: 1042, invoice: 10, tax: 0, services: 0, servicesTax: 0, tip: 0 },
    ...{ effect: 'credited', dueAgain: 0 },
  } as const;
  const refund = {
    ...{
      refundId: 'a',
      amount: 20,
      reason: 'complaint',
      requestedBy: 'Robin Example',
      words: 'Waits to be sent',
    },
    ...{ requestedAt: '2026-11-21T20:06:00Z', timeZone: 'America/Chicago' },
    lines: [line, { ...line, franchiseId: 12 }],
  } as OfficeInvoice['refunds'][number];
  const franchises = [
    { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
    { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
  ];
  const words = wordsOf(<WorkOrderScreen invoice={{ ...INVOICE, refunds: [refund] }} />, { franchises });
  expect(words).toContain('1042 of Clearwater Windows, 1042 of Bright Harbor');
});
