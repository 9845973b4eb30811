import { create } from 'qrcode';

type Run = { x: number; y: number; length: number };

/** A QR code as runs of dark squares, so that no hairlines show between neighbours. The caller adds the quiet zone. */
export function qrRuns(text: string): { size: number; runs: Run[] } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const runs: Run[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let end = x;
      while (end < size && modules.get(y, end)) end++;
      if (end > x) runs.push({ x, y, length: end - x });
      x = end;
    }
  }
  return { size, runs };
}
