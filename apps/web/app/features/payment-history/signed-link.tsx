import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { isOld } from '../invoices/fresh-links.ts';

/**
 * A link to a file that expires after ten minutes. If the page was open that long, a click first gets a fresh link.
 * Other ways to open a link are left to the browser; the server explains an expired one.
 */
export function SignedLink({
  link,
  renew,
  children,
}: {
  link: string;
  /** Null on failure. */
  renew: () => Promise<string | null>;
  children: ReactNode;
}) {
  const [hasFailed, setHasFailed] = useState(false);
  const isOpening = useRef(false);

  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !isOld(link)) return;
    event.preventDefault();
    if (isOpening.current) return;
    isOpening.current = true;
    setHasFailed(false);
    void renew().then((fresh) => {
      isOpening.current = false;
      setHasFailed(fresh === null);
      if (fresh !== null) window.location.assign(fresh);
    });
  }

  return (
    <>
      <a className="btn btn-outline" href={link} onClick={open}>
        {children}
      </a>
      {hasFailed && (
        <span className="field-errors" role="alert">
          Unable to open the file. Load the page again, then try again.
        </span>
      )}
    </>
  );
}
