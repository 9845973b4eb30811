import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { isOld } from '../invoices/fresh-links.ts';

/**
 * A link to a file that is good for ten minutes. On a page that was left open a click gets a fresh one first; other ways
 * to open a link stay the browser's, and the server explains one that has run out.
 */
export function SignedLink({
  link,
  renew,
  children,
}: {
  link: string;
  /** Null where that failed. */
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
