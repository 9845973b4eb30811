import type { Answer } from '@brightpane/ui/forms/ask-server';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { useAsk } from '../../lib/use-ask.ts';
import { isOffline, unableToOpen } from '../invoices/file-messages.ts';
import { isOld } from '../invoices/fresh-links.ts';

/**
 * A link to a file that expires after ten minutes. If the page was open that long, a click first gets a fresh link;
 * offline, it says so. Other ways to open a link are left to the browser; the server explains an expired one.
 */
export function SignedLink({
  link,
  renew,
  children,
}: {
  link: string;
  /** `null`: there is no such file any more. */
  renew: () => Promise<Answer<string> | null>;
  children: ReactNode;
}) {
  const [failure, setFailure] = useState<string | null>(null);
  const isOpening = useRef(false);
  const ask = useAsk();

  async function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (isOpening.current) return event.preventDefault();
    setFailure(null);
    if (!isOffline() && !isOld(link)) return;
    event.preventDefault();
    isOpening.current = true;
    const fresh = isOffline() ? null : await ask(renew);
    isOpening.current = false;
    if (fresh?.ok) window.location.assign(fresh.data);
    else setFailure(unableToOpen('the file', fresh?.problem ?? null));
  }

  return (
    <>
      <a className="btn btn-outline" href={link} onClick={open}>
        {children}
      </a>
      {failure && (
        <span className="field-errors" role="alert">
          {failure}
        </span>
      )}
    </>
  );
}
