import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { focusSoon } from './focus-soon.ts';

/**
 * The screen's one `h1`, and the document's title with it. After a link has led here the heading takes the focus, so
 * that a screen reader says where one is; an outcome that has the focus already keeps it.
 */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each path, not for each history entry.
  useEffect(() => {
    if (isFirstPage) {
      isFirstPage = false;
      return;
    }
    return focusSoon(() => {
      const hasOutcome = document.activeElement?.matches('[role="alert"], [role="status"]');
      return hasOutcome ? null : heading.current;
    });
  }, [pathname]);
  return (
    <>
      <title>{title}</title>
      <h1 ref={heading} tabIndex={-1}>
        {children ?? title}
      </h1>
    </>
  );
}

/** Whoever has just opened the portal may be typing by now; only a page that a link led to takes the focus. */
let isFirstPage = true;
