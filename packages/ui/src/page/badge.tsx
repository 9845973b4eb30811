import type { ReactNode } from 'react';

/** A short word in a color. The word carries the meaning; the color only helps. */
export function Badge({
  tone,
  children,
}: {
  tone: 'neutral' | 'warning' | 'danger' | 'success';
  children: ReactNode;
}) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
