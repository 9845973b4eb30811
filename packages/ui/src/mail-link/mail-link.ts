import { browserStorage } from '../browser-storage.ts';
import { randomKey } from '../forms/idempotency-key.ts';

const KEY = 'mail-link';

/** What a link in a mail carries: the address it was sent to (`e`) and a token (`t`). */
export type MailLink = { email: string | null; token: string | null };

/**
 * Moves the address and the token of these screens from the URL into the tab's storage, where they survive a reload, and
 * leaves a mark in the history state: whoever goes back to it after Log out must not use the link. Call it before
 * anything reports or renders: whatever records URLs would record the token.
 */
export function takeMailLinkFromAddress(screens: string[]): void {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  if (!screens.includes(pathname.replace(/\/$/, '')) || !(query.has('e') || query.has('t'))) return;
  const mailLink: MailLink = { email: query.get('e'), token: query.get('t') };
  query.delete('e');
  query.delete('t');
  const rest = query.size > 0 ? `?${query}` : '';
  const mark = randomKey();
  browserStorage('sessionStorage').setItem(KEY, JSON.stringify({ ...mailLink, mark }));
  // React Router keeps a location's state in `usr`.
  window.history.replaceState({ usr: { mailLink: mark } }, '', pathname + rest + hash);
}

/** The link that led to this history entry; `null` parts if there was none, or if it is forgotten. */
export function readMailLink(state: unknown = window.history.state?.usr): MailLink {
  const asked = (state as { mailLink?: unknown } | null | undefined)?.mailLink;
  const kept = readKept();
  if (kept === null || kept.mark !== asked) return { email: null, token: null };
  return { email: kept.email || null, token: kept.token || null };
}

export function forgetMailLink(): void {
  browserStorage('sessionStorage').removeItem(KEY);
}

/** Keeps that a use of the link got no answer: it may have worked, and a link works once. */
export function noteLostUse(): void {
  const kept = readKept();
  if (kept) browserStorage('sessionStorage').setItem(KEY, JSON.stringify({ ...kept, isUseLost: true }));
}

export function isUseLost(): boolean {
  return readKept()?.isUseLost ?? false;
}

function readKept(): (MailLink & { mark: string; isUseLost?: boolean }) | null {
  try {
    return JSON.parse(browserStorage('sessionStorage').getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}
