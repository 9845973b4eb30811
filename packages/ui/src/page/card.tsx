import { type ReactNode, useId } from 'react';

/** A framed part of a screen with its own heading. */
export function Card({
  title,
  aside,
  className = '',
  children,
}: {
  title?: string;
  /** At the end of the heading. */
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
