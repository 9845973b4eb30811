import type { Deps } from '../../deps.ts';
import { fail } from '../../http/result.ts';
import { findPayer, selectPaymentLines } from '../payments/history/payment-lines.queries.ts';
import { countsAsPaid } from '../payments/history/present-payment.ts';
import { type GivenLink, isGivenLinkGood, readyToDraw } from './open-document.ts';
import { receiptPage } from './pages/receipt-page.ts';

const FILE = /^receipt-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.pdf$/;

export const isReceipt = (file: string): boolean => FILE.test(file);

/** Opens the receipt behind a link: an account's payment, as far as it was collected. */
export async function openReceipt(deps: Pick<Deps, 'db' | 'env' | 'clock'>, link: GivenLink) {
  const [, paymentId = ''] = FILE.exec(link.file) ?? [];
  if (!isGivenLinkGood(deps, link, link.file)) return fail('link-invalid');
  const userId = await findPayer(deps.db.query, paymentId);
  if (userId === undefined) return fail('not-found');
  const rows = (await selectPaymentLines(deps.db.query, { userId, paymentId })).filter(countsAsPaid);
  if (rows.length === 0) return fail('not-found');
  return readyToDraw({ kind: 'receipt', ...receiptPage(rows, deps.env.PUBLIC_URL) }, 'pdf');
}
