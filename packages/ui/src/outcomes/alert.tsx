import { type ReactNode, useEffect, useRef } from 'react';

/**
 * An outcome. Announced and focused when it appears, and again for each new outcome: the next answer may have
 * the same words, with no render in between without them.
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
