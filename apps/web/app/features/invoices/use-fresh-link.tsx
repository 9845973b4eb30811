import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { isOffline, unableToOpen } from './file-messages.ts';
import { isOld } from './fresh-links.ts';

/** `null`: there is no such file any more, or the person was led elsewhere. */
type Opened = { ok: true } | { ok: false; problem: RefusedCall } | null;

/**
 * Follows a link that expires after ten minutes. If the page was open that long, a click opens a fresh one instead;
 * offline, it says so. Other ways to open a link are left to the browser; the server explains an expired one.
 */
export function useFreshLink({
  link,
  what,
  openFresh,
}: {
  link: string;
  /** Completes "Unable to open …". */
  what: string;
  openFresh: () => Promise<Opened>;
}): { open: (event: MouseEvent) => Promise<void>; failure: ReactNode } {
  const [failure, setFailure] = useState<string | null>(null);
  const isOpening = useRef(false);

  async function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (isOpening.current) return event.preventDefault();
    setFailure(null);
    if (!isOffline() && !isOld(link)) return;
    event.preventDefault();
    isOpening.current = true;
    const opened = isOffline() ? null : await openFresh();
    isOpening.current = false;
    if (!opened?.ok) setFailure(unableToOpen(what, opened?.problem ?? null));
  }

  return {
    open,
    failure: failure && (
      <span className="field-errors no-print" role="alert">
        {failure}
      </span>
    ),
  };
}
