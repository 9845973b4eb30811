import { create } from 'qrcode';
import type { Sheet } from './sheet.ts';
import { COLORS } from './theme.ts';

/** Draws a link as a QR code of vector shapes. The caller adds the quiet zone. */
export function drawQrCode(
  sheet: Sheet,
  link: string,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  const { modules } = create(link, { errorCorrectionLevel: 'M' });
  const step = size / modules.size;
  for (let row = 0; row < modules.size; row++) {
    for (let from = 0; from < modules.size; from++) {
      let to = from;
      while (to < modules.size && modules.get(row, to)) to++;
      // One bar per run of dark modules, so that no hairlines show between neighbors.
      if (to > from) sheet.pdf.rect(x + from * step, y + row * step, (to - from) * step, step * 1.02);
      from = to;
    }
  }
  sheet.pdf.fill(COLORS.ink);
}
