import type { InvoicePage } from '../pages/invoice-page.ts';
import type { Sheet } from './sheet.ts';
import { BODY_BOTTOM, startPage } from './start-page.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './theme.ts';

const NUMBER_WIDTH = 28;
const SIZE = 10;
const PADDING = 5;

/** The services line by line, over as many pages as needed; each page repeats the heading. */
export function drawServices(sheet: Sheet, page: InvoicePage, top: number): number {
  let y = drawHeading(sheet, 'Services', top);
  if (page.services.length === 0) {
    return sheet.paragraph('No single services are listed on this invoice.', {
      x: PAGE.margin,
      y: y + PADDING,
      width: CONTENT_WIDTH,
      size: SIZE,
      color: COLORS.inkSoft,
    });
  }
  const width = CONTENT_WIDTH - NUMBER_WIDTH;
  const row = { x: PAGE.margin, width: NUMBER_WIDTH, size: SIZE };
  return sheet.table(() => {
    for (const [index, service] of page.services.entries()) {
      const height = sheet.heightOf(service, { width, size: SIZE }) + 2 * PADDING;
      if (y + height > BODY_BOTTOM) {
        const start = startPage(sheet, page);
        y = sheet.artifact(() => drawHeading(sheet, 'Services, continued', start));
      }
      const line = { ...row, y: y + PADDING };
      sheet.row(() => {
        sheet.rowHeader(String(index + 1), { ...line, color: COLORS.inkSoft });
        sheet.cell(service, { ...line, x: PAGE.margin + NUMBER_WIDTH, width });
      });
      y += height;
      sheet.hairline(y);
    }
    return y;
  });
}

function drawHeading(sheet: Sheet, heading: string, top: number): number {
  const y = sheet.heading(2, heading, {
    x: PAGE.margin,
    y: top,
    width: CONTENT_WIDTH,
    size: 12,
    weight: 'semibold',
  });
  sheet.hairline(y + 5);
  return y + 5;
}
