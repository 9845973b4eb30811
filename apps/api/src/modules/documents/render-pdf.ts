import type { InvoicePage } from './pages/invoice-page.ts';
import { drawBreakdown } from './pdf/draw-breakdown.ts';
import { drawFooter } from './pdf/draw-footer.ts';
import { drawOverview } from './pdf/draw-overview.ts';
import { drawServices } from './pdf/draw-services.ts';
import { Sheet } from './pdf/sheet.ts';

/** Draws an invoice on letter paper. Deterministic: the same page gives the same bytes. */
export function renderPdf(page: InvoicePage): Promise<Buffer> {
  const sheet = new Sheet({ title: `Invoice ${page.workOrder}`, author: page.franchise.name });
  let y = drawOverview(sheet, page);
  y = drawServices(sheet, page, y);
  drawBreakdown(sheet, page, y);
  drawFooter(sheet, page);
  return sheet.finish();
}
