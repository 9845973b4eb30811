import { type ReactNode, useEffect, useRef } from 'react';

const FRAMES_UNTIL_STILL = 3;

/**
 * An outcome. Announced and focused when it appears, and again for each new outcome: the next answer may have
 * the same words, with no render in between without them. A notice that is the outcome of nothing on this screen, so
 * without `of`, takes the focus from no field.
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
  useEffect(() => {
    if (of === undefined && document.activeElement?.matches('input, select, textarea')) return;
    box.current?.focus({ preventScroll: true });
    // Rows of a long list get their real heights only in frames after they came into view, and push it away.
    let frame = 0;
    const show = (frames: number) => {
      box.current?.scrollIntoView({ block: 'nearest' });
      if (frames > 0) frame = requestAnimationFrame(() => show(frames - 1));
    };
    show(FRAMES_UNTIL_STILL);
    return () => cancelAnimationFrame(frame);
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
