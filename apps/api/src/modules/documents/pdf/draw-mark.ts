import type { Sheet } from './sheet.ts';
import { COLORS } from './theme.ts';

/** The portal's logo as on every screen: a pane with light falling across it. */
export function drawMark(sheet: Sheet, { x, y, size }: { x: number; y: number; size: number }): void {
  sheet.artifact(() => {
    sheet.pdf
      .save()
      .translate(x, y)
      .scale(size / 26)
      .roundedRect(0, 0, 26, 26, 7)
      .fill(COLORS.primary)
      .lineWidth(2)
      .lineCap('round')
      .strokeColor(COLORS.paper);
    for (const [fromX, fromY, toX, toY] of STROKES) sheet.pdf.moveTo(fromX, fromY).lineTo(toX, toY).stroke();
    sheet.pdf.restore();
  });
}

const STROKES = [
  [6, 20, 20, 6],
  [6, 13, 13, 6],
  [13, 20, 20, 13],
] as const;
