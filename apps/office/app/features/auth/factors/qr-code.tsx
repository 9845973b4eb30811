/** A QR code drawn by the API. Dark on light in either color scheme, with the quiet zone that cameras need. */
export function QrCode({ size, path, label }: { size: number; path: string; label: string }) {
  return (
    <svg
      className="qr-code"
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className="qr-code-paper" x="-4" y="-4" width={size + 8} height={size + 8} />
      <path className="qr-code-ink" d={path} />
    </svg>
  );
}
