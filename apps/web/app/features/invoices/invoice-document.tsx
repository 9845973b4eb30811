import type { Invoice } from '@brightpane/contract/invoices';
import { useEffect, useRef, useState } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';

type Loading = 'loading' | 'loaded' | 'failed';

/** The invoice as its office printed it: a picture of the first page, and the PDF behind a link. */
export function InvoiceDocument({
  invoice,
}: {
  invoice: Pick<Invoice, 'pngLink' | 'pdfLink' | 'workOrderNumber'>;
}) {
  const [loading, setLoading] = useState<Loading>('loading');
  const image = useRef<HTMLImageElement>(null);

  // A picture from the cache may be there, or have failed, before React listens.
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (complete) setLoading(naturalWidth ? 'loaded' : 'failed');
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
            ref={image}
            src={invoice.pngLink}
            alt={`Invoice of work order ${invoice.workOrderNumber}`}
            width={608}
            height={392}
            onLoad={() => setLoading('loaded')}
            onError={() => setLoading('failed')}
          />
        </div>
      )}
      <figcaption>
        <a className="btn btn-outline" href={invoice.pdfLink} target="_blank" rel="noreferrer">
          Open PDF
        </a>
      </figcaption>
    </figure>
  );
}
