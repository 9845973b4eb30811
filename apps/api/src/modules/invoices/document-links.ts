import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';

export type DocumentFormat = 'pdf' | 'png';

const LIFETIME_SECONDS = 600;

/** A list signs two links for each of its invoices, so the key is made ready once. */
const signingKeys = new WeakMap<Deps['env'], KeyObject>();

function signingKey({ env }: Pick<Deps, 'env'>): KeyObject {
  let key = signingKeys.get(env);
  if (!key) {
    key = createSecretKey(`document links ${env.TOKEN_SECRET}`, 'utf8');
    signingKeys.set(env, key);
  }
  return key;
}

function signature(
  deps: Pick<Deps, 'env'>,
  documentId: string,
  format: DocumentFormat,
  expires: number,
): string {
  return createHmac('sha256', signingKey(deps))
    .update(`${documentId}.${format}.${expires}`)
    .digest('base64url');
}

/** A link to an invoice's document that nobody can guess or alter, good for ten minutes. */
export function documentLink(
  deps: Pick<Deps, 'env' | 'clock'>,
  { documentId, format }: { documentId: string; format: DocumentFormat },
): string {
  const expires = Math.floor(deps.clock().getTime() / 1000) + LIFETIME_SECONDS;
  const signed = signature(deps, documentId, format, expires);
  return `${deps.env.PUBLIC_URL}/api/documents/${documentId}.${format}?expires=${expires}&signature=${signed}`;
}

/** Whether a link is ours, for this document and format, and still good. */
export function isDocumentLinkValid(
  deps: Pick<Deps, 'env' | 'clock'>,
  link: { documentId: string; format: DocumentFormat; expires: number; signature: string },
): boolean {
  const expected = Buffer.from(signature(deps, link.documentId, link.format, link.expires));
  const given = Buffer.from(link.signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && link.expires * 1000 > deps.clock().getTime();
}
