/** A gray placeholder for loading content; the screen around it says what is loading. */
export function Skeleton({
  shape = 'line',
  width = 'full',
}: {
  shape?: 'line' | 'heading' | 'field' | 'block' | 'document';
  width?: 'full' | 'third';
}) {
  return <span className={`skeleton skeleton-${shape} skeleton-${width}`} aria-hidden="true" />;
}
