import type { Invoice } from '@brightpane/contract/invoices/invoices';
import type { ReactNode } from 'react';
import { useDocumentLinks } from './fresh-links.ts';
import { useFreshLink } from './use-fresh-link.tsx';

/** Opens an invoice's PDF in a new tab. */
export function PdfLink({
  invoice,
  children,
  className = 'pdf-link',
  ...names
}: {
  invoice: Pick<Invoice, 'documentId' | 'pdfLink' | 'pngLink'>;
  children: ReactNode;
  className?: string;
  'aria-label'?: string;
}) {
  const { links, renew } = useDocumentLinks(invoice);
  const { open, failure } = useFreshLink({
    link: links.pdfLink,
    what: 'the PDF',
    openFresh: () => openRenewed(renew),
  });
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
      {failure}
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
