import { drawMark } from './draw-mark.ts';
import type { Sheet } from './sheet.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './theme.ts';

/** The lowest point of a page's body, above the footer. */
export const BODY_BOTTOM = PAGE.height - 64;

const MARK = 18;

/** The header of every page but the first: the sender and the document. */
export type ShortHead = { name: string; about: string };

/** Starts a new page with its short header. Returns where the body starts. */
export function startPage(sheet: Sheet, { shortHead }: { shortHead: ShortHead }): number {
  sheet.addPage();
  return sheet.artifact(() => drawShortHead(sheet, shortHead));
}

function drawShortHead(sheet: Sheet, { name, about }: ShortHead): number {
  const y = 36;
  drawMark(sheet, { x: PAGE.margin, y, size: MARK });
  const besides = { y: y + 1, size: 10.5 } as const;
  sheet.paragraph(name, {
    ...besides,
    x: PAGE.margin + MARK + 8,
    width: CONTENT_WIDTH - MARK - 8 - 190,
    weight: 'semibold',
  });
  sheet.paragraph(about, {
    ...besides,
    x: PAGE.width - PAGE.margin - 180,
    width: 180,
    align: 'right',
    color: COLORS.inkSoft,
  });
  const end =
    y +
    Math.max(
      MARK,
      sheet.heightOf(name, { width: CONTENT_WIDTH - MARK - 198, size: 10.5, weight: 'semibold' }),
    ) +
    10;
  sheet.hairline(end);
  return end + 18;
}
