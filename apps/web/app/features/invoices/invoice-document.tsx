import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { Skeleton } from '@brightpane/ui/page/skeleton.tsx';
import { useEffect, useRef, useState } from 'react';
import { useDocumentLinks } from './fresh-links.ts';
import { PdfLink } from './pdf-link.tsx';

type Loading = 'loading' | 'loaded' | 'failed';

/** The invoice as its office printed it: an image of the first page, and a link to the PDF. */
export function InvoiceDocument({
  invoice,
}: {
  invoice: Pick<Invoice, 'documentId' | 'pngLink' | 'pdfLink' | 'workOrderNumber' | 'version'>;
}) {
  const [loading, setLoading] = useState<Loading>('loading');
  const image = useRef<HTMLImageElement>(null);
  const { links, renew } = useDocumentLinks(invoice);
  const [attempt, setAttempt] = useState(1);
  const failedAttempt = useRef(0);

  /** The link may have expired, so try once more with a fresh one. */
  async function fail() {
    // The same failure may be reported twice around hydration.
    if (failedAttempt.current === attempt) return;
    failedAttempt.current = attempt;
    const fresh = attempt === 1 ? await renew() : null;
    if (fresh?.ok) setAttempt(2);
    else setLoading('failed');
  }

  // A cached image may have loaded or failed before React attached its listeners.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what happened before.
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (!complete) return;
    if (naturalWidth) setLoading('loaded');
    else void fail();
  }, []);

  return (
    <figure className="document no-print">
      {loading === 'failed' ? (
        <p className="document-failed" role="status">
          Unable to load invoice details
        </p>
      ) : (
        <div className="document-frame">
          {loading === 'loading' && <Skeleton shape="document" />}
          <img
            // A fresh link may equal the old one; the key requests the image again anyway.
            key={attempt}
            ref={image}
            // A page reuses an image of the same address, and the link of a changed invoice may be the same.
            src={`${links.pngLink}&version=${invoice.version}`}
            alt={`Invoice of work order ${invoice.workOrderNumber}`}
            width={608}
            height={392}
            onLoad={() => setLoading('loaded')}
            onError={() => void fail()}
          />
        </div>
      )}
      <figcaption>
        <PdfLink invoice={invoice} className="btn btn-outline">
          Open PDF
        </PdfLink>
      </figcaption>
    </figure>
  );
}
