import { expect, test } from 'vitest';
import { documentPayment, documentRow } from '../../../test/factories/document-rows.ts';
import { paymentLineRow } from '../../../test/factories/payments/payment-line-rows.ts';
import { readTaggedPdf, type TaggedPage, type TaggedPart } from '../../../test/read-tagged-pdf.ts';
import type { DocumentRow } from './documents.queries.ts';
import { invoicePage } from './pages/invoice-page.ts';
import { receiptPage } from './pages/receipt-page.ts';
import { renderPdf } from './render-pdf.ts';
import { renderReceipt } from './render-receipt.ts';

const ORIGIN = 'https://pay.example.com';
const invoicePdf = (given: Partial<DocumentRow> = {}) => renderPdf(invoicePage(documentRow(given), ORIGIN));
const receiptPdf = (...rows: Parameters<typeof paymentLineRow>[0][]) =>
  renderReceipt(receiptPage(rows.map(paymentLineRow), ORIGIN));

/** All parts in reading order, parents before children. */
const flat = (parts: TaggedPart[]): TaggedPart[] => parts.flatMap((part) => [part, ...flat(part.children)]);
const partsOf = (pages: TaggedPage[]) => pages.flatMap(({ parts }) => flat(parts));
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
const said = (pages: TaggedPage[], ...tags: string[]) =>
  partsOf(pages)
    .filter(({ tag }) => tags.includes(tag))
    .map(({ text }) => squeezed(text));

test('reads a receipt in order: headings, labels and their values', async () => {
  const pdf = await receiptPdf({
    servicesCents: 10_00,
    servicesTaxCents: 83,
    tipCents: 5_00,
    note: 'Two more panes',
  });
  const pages = await readTaggedPdf(pdf);
  expect(pages).toHaveLength(1);
  expect(said(pages, 'H1', 'H2', 'P', 'TH', 'TD')).toEqual([
    'Receipt',
    'Clear View West',
    'Thank you. We received your payment on November 5, 2026.',
    'Work order 1042, Clear View West',
    'Invoice amount',
    '$100.00',
    'Additional services (Two more panes)',
    '$10.00',
    'Sales tax',
    '$9.08',
    'Tip',
    '$5.00',
    'Total',
    '$124.08',
    'Payment',
    'Amount',
    '$124.08',
    'Card',
    'Visa xxxx2224',
    'Reference',
    '4711',
  ]);
  expect(said(pages, 'H2')).toEqual(['Work order 1042, Clear View West', 'Payment']);
  // Each label is marked as the header of its row.
  expect(pdf.toString('latin1').match(/\/Scope \/Row/g)).toHaveLength(said(pages, 'TH').length);
  expect(pages[0]?.artifacts.map(squeezed)).toContain('Page 1 of 1');
});

test('tells several work orders, charges and days of a receipt apart', async () => {
  const pages = await readTaggedPdf(
    await receiptPdf(
      { at: '2026-11-06T05:30:00Z' },
      { at: '2026-11-06T05:30:00Z', workOrderNumber: 1043, timeZone: 'America/New_York', reference: '4712' },
    ),
  );
  expect(said(pages, 'H2')).toEqual([
    'Work order 1042, Clear View West',
    'Work order 1043, Clear View West',
    'All together',
    'Charged to your card',
  ]);
  expect(said(pages, 'TD')).toEqual(
    expect.arrayContaining(['November 5, 2026', 'November 6, 2026', '$216.50', '4712']),
  );
});

test('reads an invoice in order, and its code by what it opens', async () => {
  const payments = [documentPayment({ invoiceCents: 50_00 })];
  const pages = await readTaggedPdf(await invoicePdf({ payments, balanceCents: 58_25 }));
  expect(said(pages, 'H1', 'H2')).toEqual(['Invoice', 'Pay online', 'Services', 'Payments', 'Terms']);
  expect(said(pages, 'TH')).toEqual([
    '1',
    '2',
    'Services',
    'Sales tax (8.25%)',
    'Invoice total',
    'Payments',
    'Balance due',
    'Nov 5, 2026',
  ]);
  const figures = partsOf(pages).filter(({ tag }) => tag === 'Figure');
  expect(figures.map(({ alt }) => alt)).toEqual([
    'QR code of https://pay.example.com/guest-payment?franchiseNumber=105&workOrderNumber=1042&zipCode=62704',
  ]);
});

test.each([
  [
    'an invoice of many pages',
    () => invoicePdf({ service: Array.from({ length: 150 }, (_, n) => `Pane ${n}`).join(';') }),
  ],
  [
    'a receipt of many pages',
    () => receiptPdf(...Array.from({ length: 40 }, (_, n) => ({ workOrderNumber: 2_000 + n }))),
  ],
  [
    'a receipt in other scripts',
    () => receiptPdf({ franchiseName: 'משפחת כהן عائلة 🏠', note: '<b>=1+1</b>\u202e' }),
  ],
])('tags everything of %s, and keeps headers and page numbers out of its text', async (_what, make) => {
  const pages = await readTaggedPdf(await make());
  for (const { untagged } of pages) expect(untagged).toBe(0);
  expect(said(pages, 'H1')).toHaveLength(1);
  expect(said(pages, 'P', 'TD').join(' ')).not.toMatch(/Page \d|continued/);
  const cells = partsOf(pages).filter(({ tag }) => tag === 'TR');
  expect(cells.every(({ children }) => children.some(({ tag }) => tag === 'TH'))).toBe(true);
});

test('a receipt has no links, and renders to the same bytes each time', async () => {
  const [one, other] = [await receiptPdf({}), await receiptPdf({})];
  expect(one.equals(other)).toBe(true);
  expect(one.toString('latin1')).not.toContain('/Annot');
  expect((await invoicePdf()).equals(await invoicePdf())).toBe(true);
});

test('reads a letter as itself after it was drawn as part of another', async () => {
  await receiptPdf({ franchiseName: 'ÅÇÉÎÑÖÜ åçéîñöü' });
  const pages = await readTaggedPdf(await receiptPdf({ franchiseName: 'ACEINOU aceinou' }));
  expect(said(pages, 'P')[0]).toBe('ACEINOU aceinou');
});
