import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { isOffline, unableToOpen } from './file-messages.ts';
import { isOld, useDocumentLinks } from './fresh-links.ts';

/**
 * Opens an invoice's PDF in a new tab. If the page was open long enough for the link to expire, a click first gets
 * a fresh one; offline, it says so. Other ways to open a link are left to the browser; the server explains an expired link.
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
  const [failure, setFailure] = useState<string | null>(null);
  const isOpening = useRef(false);

  async function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (isOpening.current) return event.preventDefault();
    setFailure(null);
    if (!isOffline() && !isOld(links.pdfLink)) return;
    event.preventDefault();
    isOpening.current = true;
    const fresh = isOffline() ? null : await openRenewed(renew);
    isOpening.current = false;
    if (!fresh?.ok) setFailure(unableToOpen('the PDF', fresh?.problem ?? null));
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
      {failure && (
        <span className="field-errors" role="alert">
          {failure}
        </span>
      )}
    </>
  );
}

/** Opens the tab within the click, since browsers would block it later, and then sends it to the document. */
async function openRenewed(renew: ReturnType<typeof useDocumentLinks>['renew']) {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  const fresh = await renew();
  if (!fresh?.ok) tab?.close();
  else if (tab) tab.location.replace(fresh.data.pdfLink);
  else window.location.assign(fresh.data.pdfLink);
  return fresh;
}
