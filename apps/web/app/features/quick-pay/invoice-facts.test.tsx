import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InvoiceFacts } from './invoice-facts.tsx';

test.each([
  ['(217) 555-0100', '2175550100'],
  ['217.555.0100', '2175550100'],
  ['555-0100', '5550100'],
  ['+1 217 555 0100', '+12175550100'],
  ['1-800-CLEAN-IT', undefined],
  ['(217) 555-0100 ext. 4', undefined],
  ['(217) 555-0100 x4', undefined],
  ['217-555-0100 or 217-555-0199', undefined],
  ['217-555-0100 / 0199', undefined],
  ['555-0100 555-0199', undefined],
  ['217-555-0100 217-555-0199', undefined],
  ['ask at the desk', undefined],
])('the office’s phone %s dials %s', (franchisePhone, dialed) => {
  const invoice = { workOrderNumber: 1001, franchisePhone, amount: 0, balanceDue: 0, services: [] };
  const page = renderToStaticMarkup(<InvoiceFacts invoice={invoice as unknown as Invoice} />);
  expect(page).toContain(franchisePhone);
  expect(page.match(/href="tel:([^"]*)"/)?.[1]).toBe(dialed);
});
