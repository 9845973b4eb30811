import type { Invoice } from '@brightpane/contract/invoices/invoices';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { createContext, useContext, useState } from 'react';

/** The signed links to an invoice's document. They expire after ten minutes. */
export type DocumentLinks = Pick<Invoice, 'pdfLink' | 'pngLink'>;

/** Requests fresh links for an invoice. `null`: there are none, or the person was led elsewhere. */
export type RenewLinks = (documentId: string) => Promise<Answer<DocumentLinks> | null>;

/** How the page gets fresh links: a guest's by the three numbers, a customer's from the list. */
export const RenewLinksContext = createContext<RenewLinks>(async () => null);

/** An invoice's links, and a way to renew them once they are old. */
export function useDocumentLinks(invoice: DocumentLinks & Pick<Invoice, 'documentId'>): {
  links: DocumentLinks;
  renew: () => ReturnType<RenewLinks>;
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
      if (fresh?.ok) setRenewed({ of: pdfLink, links: fresh.data });
      return fresh;
    },
  };
}

/** Just below the nine minutes for which every link is valid. */
const OLD_MILLISECONDS = 8 * 60_000;

/** When each link was first seen, by this browser's clock: a wrong clock still measures the time passed. */
const seen = new Map<string, number>();

function noteSeen(link: string, now = Date.now()): void {
  if (!seen.has(link)) seen.set(link, now);
}

/** Whether a link has expired, or may have. */
export function isOld(link: string, now: number = Date.now()): boolean {
  noteSeen(link, now);
  const expires = Number(new URL(link, 'http://localhost').searchParams.get('expires'));
  return expires * 1000 <= now || now - (seen.get(link) ?? now) > OLD_MILLISECONDS;
}
