import { type ReactNode, useEffect, useRef } from 'react';

/**
 * An outcome. It is announced, and the focus moves to it each time it appears; give it a new `key` where the same
 * words are said again.
 */
export function Alert({
  tone,
  title,
  children,
  takesFocus = true,
}: {
  tone: 'danger' | 'warning' | 'success' | 'info';
  title?: string;
  children: ReactNode;
  /** False for a message that comes while a person types. */
  takesFocus?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [takesFocus]);
  return (
    <div
      ref={box}
      className={`notice notice-${tone}`}
      role={tone === 'danger' ? 'alert' : 'status'}
      tabIndex={takesFocus ? -1 : undefined}
    >
      {title && <strong className="notice-title">{title}</strong>}
      {children}
    </div>
  );
}
