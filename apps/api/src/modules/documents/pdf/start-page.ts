import type { InvoicePage } from '../invoice-page.ts';
import { drawMark } from './draw-mark.ts';
import type { Sheet } from './sheet.ts';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.ts';

/** The lowest point of a page's body; the footer is below. */
export const BODY_BOTTOM = PAGE.height - 64;

const MARK = 18;

/** Begins a further page with its short head: whose invoice, and which. Answers where the body starts. */
export function startPage(sheet: Sheet, { franchise, workOrder }: InvoicePage): number {
  sheet.addPage();
  const y = 36;
  drawMark(sheet, { x: PAGE.margin, y, size: MARK });
  const besides = { y: y + 1, size: 10.5 } as const;
  sheet.text(franchise.name, {
    ...besides,
    x: PAGE.margin + MARK + 8,
    width: CONTENT_WIDTH - MARK - 8 - 190,
    weight: 'semibold',
  });
  sheet.text(`Invoice, Work Order # ${workOrder}`, {
    ...besides,
    x: PAGE.width - PAGE.margin - 180,
    width: 180,
    align: 'right',
    colour: COLOURS.inkSoft,
  });
  const end =
    y +
    Math.max(
      MARK,
      sheet.heightOf(franchise.name, { width: CONTENT_WIDTH - MARK - 198, size: 10.5, weight: 'semibold' }),
    ) +
    10;
  sheet.hairline(end);
  return end + 18;
}
