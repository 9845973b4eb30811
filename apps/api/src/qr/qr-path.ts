import { qrRuns } from './qr-runs.ts';

/** A QR code as one SVG path of unit squares. */
export function drawQrPath(text: string): { size: number; path: string } {
  const { size, runs } = qrRuns(text);
  return { size, path: runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('') };
}
