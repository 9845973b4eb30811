import { PDFiumLibrary } from '@hyzyla/pdfium';
import jsqrModule from 'jsqr';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { documentPayment, documentRow } from '../../../test/factories/document-rows.ts';
import type { DocumentRow } from './documents.queries.ts';
import { invoicePage } from './pages/invoice-page.ts';
import { renderPdf } from './render-pdf.ts';
import { PREVIEW, renderPng } from './render-png.ts';

// The types describe an ES module, but the import is the function itself.
const readQrCode = jsqrModule as unknown as typeof jsqrModule.default;

const pageOf = (given: Partial<DocumentRow> = {}) =>
  invoicePage(documentRow(given), 'https://pay.example.com');

/** Each page's text, as a PDF reader finds it. */
async function textOf(given: Partial<DocumentRow> = {}): Promise<string[]> {
  const pdfium = await PDFiumLibrary.init();
  const document = await pdfium.loadDocument(await renderPdf(pageOf(given)));
  const texts = [...document.pages()].map((page) => page.getText().replace(/\s+/g, ' '));
  document.destroy();
  pdfium.destroy();
  return texts;
}

test('an ordinary invoice is one page with everything that its payer needs', async () => {
  const payments = [documentPayment({ invoiceCents: 50_00, tipCents: 5_00 })];
  const [text, ...others] = await textOf({ payments, balanceCents: 58_25 });
  expect(others).toEqual([]);
  for (const part of [
    'Clear View West Franchise # 105 410 Alder Street, Portland, OR 97205 (503) 555-0142',
    'Invoice Work Order # 1042',
    'Service address Maple Street 12 Springfield, IL 62704',
    'Completed Nov 3, 2026',
    'Due Nov 30, 2026',
    'Balance due $58.25 to pay by Nov 30, 2026',
    'Franchise # 105 Work Order # 1042 Zip Code 62704',
    '1 Windows, inside and out',
    '2 Screens',
    'Sales tax (8.25%) $8.25',
    'Invoice total $108.25',
    'Tips $5.00',
    'Payments -$55.00',
    'Terms',
    'Page 1 of 1',
  ]) {
    expect(text).toContain(part);
  }
});

test.each([
  [
    'amount',
    { amountCents: 1_234_567_890_12, taxCents: 0, balanceCents: 1_234_567_890_12 },
    '$1,234,567,890.12 to pay',
  ],
  ['work order number', { workOrderNumber: 9_007_199_254_740_991 }, 'Work Order # 9007199254740991 Zip Code'],
])('a long %s stays on one line', async (_what, given, expected) => {
  const [text] = await textOf(given);
  expect(text).toContain(expected);
});

test('a paid invoice says so', async () => {
  const [text] = await textOf({ balanceCents: 0, payments: [documentPayment()] });
  expect(text).toContain('Paid $0.00 left to pay');
});

test('two hundred lines flow over pages, each with its header, heading and number', async () => {
  const service = Array.from({ length: 200 }, (_, index) => `Window number ${index + 1}`).join(';');
  const pages = await textOf({ service });
  expect(pages.length).toBeGreaterThan(4);
  pages.forEach((text, index) => {
    expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(text).toContain('Clear View West');
    if (index > 0) expect(text).toContain('Invoice, Work Order # 1042');
  });
  expect(pages.slice(1, -1).every((text) => text.includes('Services, continued'))).toBe(true);
  const all = pages.join(' ');
  for (let number = 1; number <= 200; number++) expect(all).toContain(`Window number ${number} `);
  expect(pages.at(-1)).toContain('Balance due $108.25');
});

test('renders an invoice without lines', async () => {
  const pages = await textOf({ service: '' });
  expect(pages).toHaveLength(1);
  expect(pages[0]).toContain('Invoice total $108.25');
});

test('many payments flow over pages', async () => {
  const payments = Array.from({ length: 120 }, (_, index) => documentPayment({ invoiceCents: index + 1 }));
  const pages = await textOf({ payments, amountCents: 72_60, taxCents: 0, balanceCents: 0 });
  expect(pages.join(' ')).toContain('$1.20');
  expect(pages[2]).toContain('Payments, continued');
});

test.each([
  ['accents', 'Zoë Ångström-Đặng'],
  ['Hebrew', 'משפחת כהן'],
  ['emoji', 'Home 🏠 ✨'],
  ['Greek and Cyrillic', 'Ελένη Київ'],
])('finds a name by its letters: %s', async (_what, addressLine1) => {
  const [text] = await textOf({ addressLine1 });
  expect(text).toContain(`Service address ${addressLine1}`);
});

test('the preview is the top of the page at double resolution', async () => {
  const png = await renderPng(await renderPdf(pageOf()));
  const { width, height } = PNG.sync.read(png);
  expect({ width, height }).toEqual(PREVIEW);
  expect(width / height).toBeCloseTo(608 / 392, 5);
});

test('the code on the preview opens the invoice', async () => {
  const { data, width, height } = PNG.sync.read(await renderPng(await renderPdf(pageOf())));
  const code = readQrCode(new Uint8ClampedArray(data), width, height);
  expect(code?.data).toBe(
    'https://pay.example.com/guest-payment?franchiseNumber=105&workOrderNumber=1042&zipCode=62704',
  );
});
