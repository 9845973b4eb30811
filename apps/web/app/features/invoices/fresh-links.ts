import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { createContext, useContext, useState } from 'react';

/** The links to an invoice's document. They are signed, and good for ten minutes. */
export type DocumentLinks = Pick<Invoice, 'pdfLink' | 'pngLink'>;

/** Asks for an invoice's links again; `null` where that failed. */
export type RenewLinks = (documentId: string) => Promise<DocumentLinks | null>;

/** How a page gets fresh links: a guest's by the three numbers, a customer's from the list. */
export const RenewLinksContext = createContext<RenewLinks>(async () => null);

/** The links of an invoice that a page shows, and a way to replace them once they have grown old. */
export function useDocumentLinks(invoice: DocumentLinks & Pick<Invoice, 'documentId'>): {
  links: DocumentLinks;
  renew: () => Promise<DocumentLinks | null>;
} {
  const renewLinks = useContext(RenewLinksContext);
  const { documentId, pdfLink, pngLink } = invoice;
  const [renewed, setRenewed] = useState<{ of: string; links: DocumentLinks } | null>(null);
  const links = renewed?.of === pdfLink ? renewed.links : { pdfLink, pngLink };
  noteSeen(links.pdfLink);
  return {
    links,
    renew: async () => {
      const fresh = await renewLinks(documentId);
      if (fresh) setRenewed({ of: pdfLink, links: fresh });
      return fresh;
    },
  };
}

/** Short of the nine minutes that a link is good for at least. */
const OLD_MS = 8 * 60_000;

/** When links came, by the clock of this browser, which may be wrong but is wrong by the same amount later. */
const seen = new Map<string, number>();

function noteSeen(link: string, now = Date.now()): void {
  if (!seen.has(link)) seen.set(link, now);
}

/** Whether a link has, or may have, run out. */
export function isOld(link: string, now: number = Date.now()): boolean {
  noteSeen(link, now);
  const expires = Number(new URL(link, 'http://localhost').searchParams.get('expires'));
  return expires * 1000 <= now || now - (seen.get(link) ?? now) > OLD_MS;
}
