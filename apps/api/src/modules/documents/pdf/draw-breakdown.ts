import type { InvoicePage, PaymentLine } from '../pages/invoice-page.ts';
import type { Sheet } from './sheet.ts';
import { BODY_BOTTOM, startPage } from './start-page.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './theme.ts';

const SUMS_WIDTH = 250;
const GAP = 32;
const NOTES_WIDTH = CONTENT_WIDTH - SUMS_WIDTH - GAP;
const ROW = 19;
const PAYMENT_GAP = 6;

/** Explains the balance: payments and terms on the left, sums on the right, on one page if they fit. */
export function drawBreakdown(sheet: Sheet, page: InvoicePage, top: number): void {
  const height = Math.max(sumsHeight(page), notesHeight(sheet, page));
  const start = top + 22;
  const y = start + Math.min(height, BODY_BOTTOM - 100) > BODY_BOTTOM ? startPage(sheet, page) : start;
  drawSums(sheet, page, y);
  drawTerms(sheet, page, drawPayments(sheet, page, y));
}

const sumsHeight = (page: InvoicePage) => page.totals.length * ROW + 46;

function notesHeight(sheet: Sheet, page: InvoicePage): number {
  const payments = page.payments.reduce((sum, payment) => sum + paymentHeight(sheet, payment), 0);
  return (page.payments.length > 0 ? payments + 35 : 0) + termsHeight(sheet, page);
}

function drawSums(sheet: Sheet, page: InvoicePage, top: number): void {
  const x = PAGE.width - PAGE.margin - SUMS_WIDTH;
  const padding = 14;
  const row = { x: x + padding, width: SUMS_WIDTH - 2 * padding, size: 10, leading: 1.9 };
  sheet.table(() => {
    let y = top;
    for (const { label, amount, isSum } of page.totals) {
      const weight = isSum ? 'semibold' : 'regular';
      if (isSum) sheet.hairline(y, row);
      const line = { ...row, y, weight } as const;
      sheet.row(() => {
        sheet.rowHeader(label, { ...line, color: isSum ? COLORS.ink : COLORS.inkSoft });
        sheet.cell(amount, { ...line, align: 'right', isTabular: true });
      });
      y += ROW;
    }
    y += 8;
    sheet.box({ x, y, width: SUMS_WIDTH, height: 38, radius: 10 }, COLORS.glass);
    const last = { ...row, y, weight: 'semibold' } as const;
    sheet.row(() => {
      sheet.rowHeader('Balance due', { ...last, size: 11, leading: 38 / 11 });
      sheet.cell(page.balance, { ...last, size: 15, align: 'right', leading: 38 / 15 });
    });
  });
}

/** Continues over further pages if there are many. */
function drawPayments(sheet: Sheet, page: InvoicePage, top: number): number {
  if (page.payments.length === 0) return top;
  let y = drawHeading(sheet, 'Payments', top);
  sheet.table(() => {
    for (const payment of page.payments) {
      if (y + paymentHeight(sheet, payment) > BODY_BOTTOM) {
        const start = startPage(sheet, page);
        y = sheet.artifact(() => drawHeading(sheet, 'Payments, continued', start));
      }
      y = drawPayment(sheet, payment, y + PAYMENT_GAP);
    }
  });
  return y + 18;
}

const paymentDetail = { width: NOTES_WIDTH - 60, size: 9 };

function drawPayment(sheet: Sheet, payment: PaymentLine, y: number): number {
  const row = { x: PAGE.margin, y, width: NOTES_WIDTH, size: 10 };
  return sheet.row(() => {
    const end = sheet.rowHeader(payment.date, row);
    const bottom = sheet.cell(describe(payment), {
      ...row,
      ...paymentDetail,
      y: end,
      color: COLORS.inkSoft,
    });
    sheet.cell(payment.amount, { ...row, align: 'right', isTabular: true });
    return bottom;
  });
}

function paymentHeight(sheet: Sheet, payment: PaymentLine): number {
  return PAYMENT_GAP + 14 + sheet.heightOf(describe(payment), paymentDetail);
}

const describe = ({ method, detail }: PaymentLine) => (detail ? `${method}, with ${detail}` : method);

const term = { width: NOTES_WIDTH, size: 9 };

function drawTerms(sheet: Sheet, page: InvoicePage, top: number): void {
  const start = top + termsHeight(sheet, page) > BODY_BOTTOM ? startPage(sheet, page) : top;
  let y = drawHeading(sheet, 'Terms', start);
  for (const text of page.terms) {
    y = sheet.paragraph(text, { ...term, x: PAGE.margin, y: y + 3, color: COLORS.inkSoft });
  }
}

function termsHeight(sheet: Sheet, page: InvoicePage): number {
  return page.terms.reduce((sum, text) => sum + 3 + sheet.heightOf(text, term), 17);
}

function drawHeading(sheet: Sheet, heading: string, y: number): number {
  return sheet.heading(2, heading, { x: PAGE.margin, y, width: NOTES_WIDTH, size: 12, weight: 'semibold' });
}
