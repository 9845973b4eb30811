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
};

/** The parts of a link, unverified. */
export type GivenLink = { file: string; query: Record<string, unknown> };

const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(pdf|png)$/;
const EXPIRES = /^\d{1,12}$/;

/** Finds the document behind a link. Rejects altered and expired links before reading anything. */
export async function openDocument(deps: Pick<Deps, 'db' | 'env' | 'clock'>, link: GivenLink) {
  const [, documentId, extension] = FILE.exec(link.file) ?? [];
  if (documentId === undefined) return fail('not-found');
  if (!isGivenLinkGood(deps, link, link.file)) return fail('link-invalid');

  const row = await findDocument(deps.db.query, documentId);
  if (!row) return fail('not-found');
  const page = { kind: 'invoice', ...invoicePage(row, deps.env.PUBLIC_URL) } as const;
  return readyToDraw(page, extension as DocumentFormat);
}

export function readyToDraw(page: PrintedPage, format: DocumentFormat) {
  const fingerprint = createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 27);
  return ok<OpenDocument>({ page, format, fingerprint });
}

/** Whether a link for `claim` is ours and hasn't expired. */
export function isGivenLinkGood(
  deps: Pick<Deps, 'env' | 'clock'>,
  { query: { expires, signature } }: GivenLink,
  claim: string,
): boolean {
  if (typeof expires !== 'string' || !EXPIRES.test(expires) || typeof signature !== 'string') return false;
  return isLinkGood(deps, { claim, expires: Number(expires), signature });
}
