import { qrRuns } from '../../../qr/qr-runs.ts';
import type { Sheet } from './sheet.ts';
import { COLORS } from './theme.ts';

/** Draws a link as a QR code of vector shapes. */
export function drawQrCode(
  sheet: Sheet,
  link: string,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  const code = qrRuns(link);
  const step = size / code.size;
  for (const run of code.runs) {
    sheet.pdf.rect(x + run.x * step, y + run.y * step, run.length * step, step * 1.02);
  }
  sheet.pdf.fill(COLORS.ink);
}
