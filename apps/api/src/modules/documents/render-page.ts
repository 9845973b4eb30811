import type { InvoicePage } from './pages/invoice-page.ts';
import type { ReceiptPage } from './pages/receipt-page.ts';
import { renderPdf } from './render-pdf.ts';
import { renderReceipt } from './render-receipt.ts';

/** Every kind of page that is drawn. */
export type PrintedPage = ({ kind: 'invoice' } & InvoicePage) | ({ kind: 'receipt' } & ReceiptPage);

export const renderPage = (page: PrintedPage): Promise<Buffer> =>
  page.kind === 'invoice' ? renderPdf(page) : renderReceipt(page);
