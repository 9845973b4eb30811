/** A grey shape in place of what is still coming; the screen around it says in words what that is. */
export function Skeleton({
  shape = 'line',
  width = 'full',
}: {
  shape?: 'line' | 'heading' | 'field' | 'block' | 'document';
  width?: 'full' | 'half' | 'third';
}) {
  return <span className={`skeleton skeleton-${shape} skeleton-${width}`} aria-hidden="true" />;
}
