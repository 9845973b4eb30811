import { create } from 'qrcode';

/** A QR code as one SVG path of unit squares. The caller adds the quiet zone. */
export function drawQrPath(text: string): { size: number; path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    for (let from = 0; from < modules.size; from++) {
      let to = from;
      while (to < modules.size && modules.get(row, to)) to++;
      if (to > from) path += `M${from} ${row}h${to - from}v1h-${to - from}z`;
      from = to;
    }
  }
  return { size: modules.size, path };
}
