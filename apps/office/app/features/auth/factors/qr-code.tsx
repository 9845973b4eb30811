/** A QR code as the API draws it: dark on light in either scheme, with the quiet edge that cameras need. */
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
