import { type ReactNode, useId } from 'react';

/** A framed part of a screen with a heading of its own. */
export function Card({
  title,
  aside,
  className = '',
  children,
}: {
  title?: string;
  /** Stands at the heading's end. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="panel-head">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
