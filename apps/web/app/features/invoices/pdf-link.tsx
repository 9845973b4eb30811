import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { isOld, useDocumentLinks } from './fresh-links.ts';

/**
 * Opens an invoice's PDF in a tab of its own. On a page that was left open the link may have run out: a click then gets
 * a fresh one first. Other ways to open a link stay the browser's; the server explains a link that has run out.
 */
export function PdfLink({
  invoice,
  children,
  className = '',
  ...names
}: {
  invoice: Pick<Invoice, 'documentId' | 'pdfLink' | 'pngLink'>;
  children: ReactNode;
  className?: string;
  'aria-label'?: string;
}) {
  const { links, renew } = useDocumentLinks(invoice);
  const [hasFailed, setHasFailed] = useState(false);
  const isOpening = useRef(false);

  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !isOld(links.pdfLink)) return;
    event.preventDefault();
    if (isOpening.current) return;
    isOpening.current = true;
    setHasFailed(false);
    void openRenewed(renew).then((opened) => {
      isOpening.current = false;
      setHasFailed(!opened);
    });
  }

  return (
    <>
      <a
        {...names}
        className={className}
        href={links.pdfLink}
        target="_blank"
        rel="noreferrer"
        onClick={open}
      >
        {children}
      </a>
      {hasFailed && (
        <span className="field-errors" role="alert">
          Unable to open the PDF. Load the page again, then try again.
        </span>
      )}
    </>
  );
}

/** The tab is opened with the click, or browsers would block it, and sent to the document once its link is there. */
async function openRenewed(renew: ReturnType<typeof useDocumentLinks>['renew']): Promise<boolean> {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  const fresh = await renew();
  if (fresh === null) {
    tab?.close();
    return false;
  }
  if (tab) tab.location.replace(fresh.pdfLink);
  else window.location.assign(fresh.pdfLink);
  return true;
}
