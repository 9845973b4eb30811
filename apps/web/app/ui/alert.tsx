import { type ReactNode, useEffect, useRef } from 'react';

/** An outcome. It is announced, and the focus moves to it when it appears. */
export function Alert({ tone, children }: { tone: 'danger' | 'warning' | 'success'; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
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
