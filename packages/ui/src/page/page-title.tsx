import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { focusSoon } from './focus-soon.ts';

/**
 * The screen's one `h1`, which also sets the document's title. After a link it takes the focus, so that screen
 * readers announce the new page; an outcome that already has the focus keeps it.
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

/** On the first page the person may already be typing, so only later pages take the focus. */
let isFirstPage = true;
