import { type ReactNode, useEffect, useRef } from 'react';

/**
 * An outcome. It is announced, and the focus moves to it when it appears, and again when it is of something else: an
 * answer that comes at once may follow another with the same words before the screen was ever without them.
 */
export function Alert({
  tone,
  of,
  children,
}: {
  tone: 'danger' | 'warning' | 'success';
  of?: object;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is not read; another one is another outcome.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return (
    <div
      ref={box}
      className={`notice notice-${tone}`}
      role={tone === 'danger' ? 'alert' : 'status'}
      tabIndex={-1}
    >
      {children}
    </div>
  );
}
