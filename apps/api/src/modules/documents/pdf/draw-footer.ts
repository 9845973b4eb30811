import type { InvoicePage } from '../pages/invoice-page.ts';
import type { Sheet } from './sheet.ts';
import { COLORS, CONTENT_WIDTH, PAGE } from './theme.ts';

/** The footer of every page: where to pay, and the page number. */
export function drawFooter(sheet: Sheet, { payUrl }: InvoicePage): void {
  const y = PAGE.height - 44;
  const row = { x: PAGE.margin, width: CONTENT_WIDTH, size: 8.5, color: COLORS.inkSoft };
  const { origin, host } = new URL(payUrl);
  sheet.onEachPage((number, of) => {
    sheet.hairline(y - 6);
    sheet.paragraph(`Pay and see your invoices at ${host}`, { ...row, y, link: origin });
    sheet.paragraph(`Page ${number} of ${of}`, { ...row, y, align: 'right' });
  });
}
