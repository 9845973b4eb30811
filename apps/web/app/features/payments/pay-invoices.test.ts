import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import { lineErrors, portalSaleBody } from './pay-invoices.ts';
import { toPayable } from './payable/payable.ts';
import { changeDraft, NEW_DRAFT } from './payment-draft.ts';

const invoice = (workOrderNumber: number, tipsEnabled: boolean) =>
  toPayable({
    franchiseId: 7,
    workOrderNumber,
    balanceDue: 100,
    salesTaxAmount: 0,
    salesTaxRate: 0,
    tipsEnabled,
    version: 3,
    workOrders: [],
  } as unknown as Invoice);

test('the body carries what was typed in dollars, the version that was seen, and no tip where none is taken', () => {
  const selected = [invoice(1, true), invoice(2, false)];
  let draft = changeDraft(NEW_DRAFT, { type: 'tip', tips: selected.map(({ key }) => [key, cents(12_34)]) });
  draft = changeDraft(draft, {
    type: 'services',
    key: '7-2',
    services: { amountCents: cents(-5), note: 'rounded' },
  });
  expect(portalSaleBody(draft, selected, { paymentMethodId: 'card', legalAccepted: true })).toEqual({
    paymentMethodId: 'card',
    sendReceipt: true,
    legalAccepted: true,
    workOrders: [
      {
        franchiseId: 7,
        workOrderNumber: 1,
        additionalServiceAmount: 0,
        additionalServicesNote: '',
        tipAmount: 12.34,
        version: 3,
      },
      {
        franchiseId: 7,
        workOrderNumber: 2,
        additionalServiceAmount: -0.05,
        additionalServicesNote: 'rounded',
        tipAmount: 0,
        version: 3,
      },
    ],
  });
});

test('a customer who wants no receipt asks for none', () => {
  const draft = changeDraft(NEW_DRAFT, { type: 'send-receipt', sendReceipt: false });
  const body = portalSaleBody(draft, [invoice(1, true)], { paymentMethodId: 'card', legalAccepted: true });
  expect(body.sendReceipt).toBe(false);
});

test('a note without an amount is left out, since its field is disabled or gone', () => {
  const services = { amountCents: cents(0), note: 'typed before the amount went' };
  const draft = changeDraft(NEW_DRAFT, { type: 'services', key: '7-1', services });
  const body = portalSaleBody(draft, [invoice(1, true)], { paymentMethodId: 'card', legalAccepted: true });
  expect(body.workOrders[0]?.additionalServicesNote).toBe('');
});

test('what the server says of one work order lands at its field', () => {
  const errors = [
    { code: 'Invalid', description: 'Please add a note.', field: 'workOrders.1.additionalServicesNote' },
    { code: 'Invalid', description: 'Please shorten it.', field: 'workOrders.1.additionalServicesNote' },
    { code: 'Invalid', description: 'Not an amount.', field: 'workOrders.0.additionalServiceAmount' },
    { code: 'Invalid', description: 'Of nobody.', field: 'workOrders.9.additionalServicesNote' },
    { code: 'AlreadyPaid', description: 'Work order 1 is already paid.' },
  ];
  expect(lineErrors({ errors }, ['7-1', '7-2'])).toEqual({
    '7-1.amount': ['Not an amount.'],
    '7-2.note': ['Please add a note.', 'Please shorten it.'],
  });
});
