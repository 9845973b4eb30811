import type { MailPart } from '../../mail/layout.ts';
import type { ReceiptPage } from './pages/receipt-page.ts';
import { drawMark } from './pdf/draw-mark.ts';
import { Sheet } from './pdf/sheet.ts';
import { BODY_BOTTOM, startPage } from './pdf/start-page.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './pdf/theme.ts';

const MARK = 30;
const COLUMN = { x: PAGE.margin, width: CONTENT_WIDTH } as const;
const LABEL_WIDTH = CONTENT_WIDTH - 150;
const ROW = { size: 10.5, padding: 4 } as const;

/** Draws a receipt on letter paper, over as many pages as needed. Deterministic: the same page gives the same bytes. */
export function renderReceipt(page: ReceiptPage): Promise<Buffer> {
  const sheet = new Sheet(page);
  let y = drawHead(sheet, page);
  for (const part of page.parts) y = drawPart(sheet, page, part, y);
  drawFoot(sheet, page);
  return sheet.finish();
}

function drawHead(sheet: Sheet, { author }: ReceiptPage): number {
  const top = 36;
  drawMark(sheet, { x: PAGE.margin, y: top, size: MARK });
  const beside = { x: PAGE.margin + MARK + 14, width: CONTENT_WIDTH - MARK - 14 };
  const y = sheet.heading(1, 'Receipt', {
    ...beside,
    y: top - 4,
    size: 24,
    weight: 'semibold',
    leading: 1.2,
  });
  const end = sheet.paragraph(author, { ...beside, y: y + 2, size: 10.5, color: COLORS.inkSoft }) + 14;
  sheet.hairline(end);
  return end + 18;
}

function drawPart(sheet: Sheet, page: ReceiptPage, part: MailPart, top: number): number {
  switch (part.kind) {
    case 'heading': {
      const text = { ...COLUMN, size: 12.5, weight: 'semibold' } as const;
      // Keep a heading together with what follows.
      const y = fitting(sheet, page, top + 8, sheet.heightOf(part.text, text) + 60);
      return sheet.heading(2, part.text, { ...text, y }) + 4;
    }
    case 'table':
      return sheet.table(() => drawRows(sheet, page, part, top)) + 8;
    case 'paragraph': {
      const text = { ...COLUMN, size: ROW.size };
      const y = fitting(sheet, page, top, sheet.heightOf(part.text, text));
      return sheet.paragraph(part.text, { ...text, y }) + 8;
    }
    case 'button':
      return top;
  }
}

function drawRows(
  sheet: Sheet,
  page: ReceiptPage,
  { rows, totalLast = false }: MailPart & { kind: 'table' },
  top: number,
): number {
  let y = top;
  for (const [index, { label, value }] of rows.entries()) {
    const isTotal = totalLast && index === rows.length - 1;
    const text = { ...COLUMN, size: ROW.size, weight: isTotal ? 'semibold' : 'regular' } as const;
    const height = sheet.heightOf(label, { ...text, width: LABEL_WIDTH }) + 2 * ROW.padding;
    y = fitting(sheet, page, y, height);
    sheet.hairline(y);
    const line = { ...text, y: y + ROW.padding };
    sheet.row(() => {
      sheet.rowHeader(label, {
        ...line,
        width: LABEL_WIDTH,
        color: isTotal ? COLORS.ink : COLORS.inkSoft,
      });
      sheet.cell(value, { ...line, align: 'right', isTabular: true });
    });
    y += height;
  }
  return y;
}

/** Where content of this height starts: here, or on a new page. */
const fitting = (sheet: Sheet, page: ReceiptPage, y: number, height: number): number =>
  y + height > BODY_BOTTOM ? startPage(sheet, page) : y;

function drawFoot(sheet: Sheet, { host }: ReceiptPage): void {
  const y = PAGE.height - 44;
  const row = { ...COLUMN, y, size: 8.5, color: COLORS.inkSoft };
  sheet.onEachPage((number, of) => {
    sheet.hairline(y - 6);
    sheet.paragraph(`Your payments are at ${host}`, row);
    sheet.paragraph(`Page ${number} of ${of}`, { ...row, align: 'right' });
  });
}
