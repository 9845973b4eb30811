import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { type DocumentFormat, isLinkGood } from '../invoices/document-links.ts';
import { findDocument } from './documents.queries.ts';
import { invoicePage } from './pages/invoice-page.ts';
import type { PrintedPage } from './render-page.ts';

/** A document ready to be drawn. */
export type OpenDocument = {
  page: PrintedPage;
  format: DocumentFormat;
  /** Changes with anything printed: the invoice, its location or its franchise. */
  fingerprint: string;
  secondsLeft: number;
};

/** The parts of a link, unverified. */
export type GivenLink = { file: string; query: Record<string, unknown> };

const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(pdf|png)$/;
const EXPIRES = /^\d{1,12}$/;

/** Finds the document behind a link. Rejects altered and expired links before reading anything. */
export async function openDocument(deps: Pick<Deps, 'db' | 'env' | 'clock'>, link: GivenLink) {
  const [, documentId, extension] = FILE.exec(link.file) ?? [];
  if (documentId === undefined) return fail('not-found');
  const expires = readExpiry(deps, link, link.file);
  if (expires === null) return fail('link-invalid');

  const row = await findDocument(deps.db.query, documentId);
  if (!row) return fail('not-found');
  const page = { kind: 'invoice', ...invoicePage(row, deps.env.PUBLIC_URL) } as const;
  return readyToDraw(deps, { page, format: extension as DocumentFormat, expires });
}

export function readyToDraw(
  deps: Pick<Deps, 'clock'>,
  { page, format = 'pdf', expires }: { page: PrintedPage; format?: DocumentFormat; expires: number },
) {
  return ok<OpenDocument>({
    page,
    format,
    fingerprint: createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 27),
    secondsLeft: Math.floor(expires - deps.clock().getTime() / 1000),
  });
}

/** When a valid link for `claim` expires; null if it isn't ours or has expired. */
export function readExpiry(
  deps: Pick<Deps, 'env' | 'clock'>,
  { query: { expires, signature } }: GivenLink,
  claim: string,
): number | null {
  if (typeof expires !== 'string' || !EXPIRES.test(expires) || typeof signature !== 'string') return null;
  return isLinkGood(deps, { claim, expires: Number(expires), signature }) ? Number(expires) : null;
}
