import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { type DocumentFormat, isDocumentLinkValid } from '../invoices/document-links.ts';
import { findDocument } from './documents.queries.ts';
import { type InvoicePage, invoicePage } from './invoice-page.ts';

/** A document ready to be drawn. */
export type OpenDocument = {
  page: InvoicePage;
  format: DocumentFormat;
  /** The same for the same page: changes with whatever is printed, be it the invoice, its location or its franchise. */
  fingerprint: string;
  secondsLeft: number;
};

const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(pdf|png)$/;
const EXPIRES = /^\d{1,12}$/;

/** Finds what a link leads to. A link that is not ours as it stands, or no longer good, is told before anything is read. */
export async function openDocument(
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  link: { file: string; expires: unknown; signature: unknown },
) {
  const [, documentId, extension] = FILE.exec(link.file) ?? [];
  if (documentId === undefined) return fail('not-found');
  const format = extension as DocumentFormat;
  const { expires, signature } = link;
  if (typeof expires !== 'string' || !EXPIRES.test(expires) || typeof signature !== 'string') {
    return fail('link-invalid');
  }
  const claims = { documentId, format, expires: Number(expires), signature };
  if (!isDocumentLinkValid(deps, claims)) return fail('link-invalid');

  const row = await findDocument(deps.db.query, documentId);
  if (!row) return fail('not-found');
  const page = invoicePage(row, deps.env.PUBLIC_URL);
  return ok<OpenDocument>({
    page,
    format,
    fingerprint: createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 27),
    secondsLeft: Math.floor(claims.expires - deps.clock().getTime() / 1000),
  });
}
