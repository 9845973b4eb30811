import type { Deps } from '../../../deps.ts';
import { signedLink } from '../../invoices/document-links.ts';

/** Signed for ten minutes: whoever holds the link can open the PDF. */
export const receiptLink = (deps: Pick<Deps, 'env' | 'clock'>, paymentId: string): string =>
  signedLink(deps, `receipt-${paymentId}.pdf`);

export type StatementFile = { userId: string; year: number; locationId: number | null };

/** What the signature of a statement file covers. */
export const statementClaim = ({ userId, year, locationId }: StatementFile): string =>
  `payments-${year}.csv ${userId} ${locationId ?? 'everywhere'}`;

export const statementLink = (deps: Pick<Deps, 'env' | 'clock'>, file: StatementFile): string => {
  const about = new URLSearchParams({
    user: file.userId,
    ...(file.locationId !== null && { locationId: String(file.locationId) }),
  });
  return signedLink(deps, `payments-${file.year}.csv`, { about, claim: statementClaim(file) });
};
