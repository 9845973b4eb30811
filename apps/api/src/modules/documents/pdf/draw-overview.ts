import type { InvoicePage } from '../pages/invoice-page.ts';
import { drawMark } from './draw-mark.ts';
import { drawQrCode } from './draw-qr-code.ts';
import type { Sheet } from './sheet.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './theme.ts';

const LEFT = PAGE.margin;
const RIGHT = PAGE.width - PAGE.margin;
const MARK = 38;
const CARD = { width: 212, gap: 24, padding: 18 };
const FACTS_WIDTH = CONTENT_WIDTH - CARD.width - CARD.gap;

/** Where the first page's upper half ends; the preview shows everything above. */
const OVERVIEW_BOTTOM = 396;

/** The upper half of the first page: whose invoice it is, for what, how much, due when, and how to pay. */
export function drawOverview(sheet: Sheet, page: InvoicePage): number {
  const headEnd = drawHead(sheet, page);
  sheet.hairline(headEnd);
  const factsTop = headEnd + 20;
  const factsEnd = Math.max(drawFacts(sheet, page, factsTop), drawAmount(sheet, page, factsTop));
  const paymentEnd = drawWayToPay(sheet, page, factsEnd + 18);
  return Math.max(paymentEnd, OVERVIEW_BOTTOM - 8) + 22;
}

function drawHead(sheet: Sheet, { franchise, workOrder }: InvoicePage): number {
  const top = 36;
  drawMark(sheet, { x: LEFT, y: top + 2, size: MARK });
  const x = LEFT + MARK + 14;
  const width = 310;
  // Shrink a long name, so that the numbers below stay inside the preview.
  const size = sheet.widthOf(franchise.name, { size: 17, weight: 'semibold' }) > 1.5 * width ? 13 : 17;
  let left = sheet.paragraph(franchise.name, { x, y: top, width, size, weight: 'semibold', leading: 1.25 });
  for (const line of [`Franchise # ${franchise.number}`, ...franchise.contact]) {
    left = sheet.paragraph(line, { x, y: left + 1, width, size: 9, color: COLORS.inkSoft, leading: 1.3 });
  }
  const besides = { x: RIGHT - 170, width: 170, align: 'right' } as const;
  let right = sheet.heading(1, 'Invoice', {
    ...besides,
    y: top - 3,
    size: 24,
    weight: 'semibold',
    leading: 1.2,
  });
  right = sheet.paragraph(`Work Order # ${workOrder}`, {
    ...besides,
    y: right,
    size: 10.5,
    color: COLORS.inkSoft,
  });
  return Math.max(left, right, top + MARK + 4) + 14;
}

function drawFacts(sheet: Sheet, page: InvoicePage, top: number): number {
  const column = (FACTS_WIDTH - 16) / 2;
  const second = LEFT + column + 16;
  const address = { label: 'Service address', lines: page.serviceAddress };
  const first = drawFact(sheet, { ...address, x: LEFT, y: top, width: FACTS_WIDTH });
  return Math.max(
    drawFact(sheet, { label: 'Completed', lines: [page.completed], x: LEFT, y: first + 12, width: column }),
    drawFact(sheet, { label: 'Due', lines: [page.due], x: second, y: first + 12, width: column }),
  );
}

type Fact = { label: string; lines: string[]; x: number; y: number; width: number };

/** A label and its value, with the first line in bold. */
function drawFact(sheet: Sheet, { label, lines, x, width, ...fact }: Fact): number {
  let y = sheet.paragraph(label, { x, y: fact.y, width, size: 8.5, color: COLORS.inkSoft });
  for (const [index, line] of lines.entries()) {
    y = sheet.paragraph(line, { x, y, width, size: 10.5, weight: index === 0 ? 'semibold' : 'regular' });
  }
  return y;
}

const STAMPS = {
  paid: { text: 'Paid', color: COLORS.success, wash: COLORS.successWash },
  'balance-due': { text: 'Balance due', color: COLORS.warning, wash: COLORS.warningWash },
  'nothing-due': { text: 'Nothing due', color: COLORS.success, wash: COLORS.successWash },
} as const;

function drawAmount(sheet: Sheet, page: InvoicePage, top: number): number {
  const x = RIGHT - CARD.width;
  const inner = { x: x + CARD.padding, width: CARD.width - 2 * CARD.padding };
  const height = 112;
  const stamp = STAMPS[page.status];
  sheet.box({ x, y: top, width: CARD.width, height, radius: 12 }, COLORS.glass);
  const stampWidth = sheet.widthOf(stamp.text, { size: 9.5, weight: 'semibold' });
  sheet.box({ x: inner.x, y: top + 16, width: stampWidth + 20, height: 20, radius: 10 }, stamp.wash);
  sheet.paragraph(stamp.text, {
    x: inner.x + 10,
    y: top + 16,
    width: inner.width,
    size: 9.5,
    weight: 'semibold',
    color: stamp.color,
    leading: 2.1,
  });
  const size = fittingSize(sheet, page.balance, { largest: 32, width: inner.width });
  const oneLine = { x: inner.x, width: Number.POSITIVE_INFINITY };
  sheet.paragraph(page.balance, { ...oneLine, y: top + 44, size, weight: 'semibold', leading: 34 / size });
  const below =
    page.status === 'balance-due'
      ? `to pay${page.due === 'Pending' ? '' : ` by ${page.due}`}`
      : 'left to pay';
  sheet.paragraph(below, { ...inner, y: top + 80, size: 10, color: COLORS.inkSoft });
  return top + height;
}

/** The largest size at which a number fits on one line. */
function fittingSize(
  sheet: Sheet,
  text: string,
  { largest, width }: { largest: number; width: number },
): number {
  return Math.min(largest, (largest * width) / sheet.widthOf(text, { size: largest, weight: 'semibold' }));
}

/** The three numbers, next to the QR code that contains them. */
function drawWayToPay(sheet: Sheet, page: InvoicePage, top: number): number {
  const padding = 18;
  const qr = 92;
  const height = qr + 2 * 14;
  sheet.box({ x: LEFT, y: top, width: CONTENT_WIDTH, height, radius: 12 }, COLORS.paper, COLORS.line);
  sheet.figure(`QR code of ${page.payUrl}`, () =>
    drawQrCode(sheet, page.payUrl, { x: RIGHT - 14 - qr, y: top + 14, size: qr }),
  );

  const x = LEFT + padding;
  const width = CONTENT_WIDTH - qr - 14 - 2 * padding;
  const title = page.status === 'balance-due' ? 'Pay online' : 'See it online';
  let y = sheet.heading(2, title, { x, y: top + 14, width, size: 12, weight: 'semibold' });
  y = sheet.paragraph(howToPay(page), { x, y: y + 1, width, size: 9, color: COLORS.inkSoft });

  const numbers = [
    { label: 'Franchise #', value: page.franchise.number },
    { label: 'Work Order #', value: page.workOrder },
    ...(page.zipCode === null ? [] : [{ label: 'Zip Code', value: page.zipCode }]),
  ];
  const column = width / 3;
  for (const [index, { label, value }] of numbers.entries()) {
    const cell = { x: x + index * column, width: column - 12 };
    const size = fittingSize(sheet, value, { largest: 17, width: cell.width });
    sheet.paragraph(label, { ...cell, y: top + height - 54, size: 8.5, color: COLORS.inkSoft });
    sheet.paragraph(value, {
      x: cell.x,
      y: top + height - 42,
      width: Number.POSITIVE_INFINITY,
      size,
      weight: 'semibold',
      color: COLORS.primary,
      leading: 22 / size,
    });
  }
  return top + height;
}

function howToPay({ payUrl, zipCode }: InvoicePage): string {
  const { host, pathname } = new URL(payUrl);
  return zipCode === null
    ? `Scan the code, or sign in at ${host}${pathname}.`
    : `Scan the code, or enter these three numbers at ${host}${pathname}.`;
}
