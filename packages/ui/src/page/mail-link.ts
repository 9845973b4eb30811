/** What a link in a mail carries: the address it was sent to (`e`) and a token (`t`). */
export type MailLink = { email: string | null; token: string | null };

/**
 * Moves the address and the token of these screens from the URL into the history state, where they survive a
 * reload. Call it before anything reports or renders: whatever records URLs would record the token.
 */
export function takeMailLinkFromAddress(screens: string[]): void {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  if (!screens.includes(pathname.replace(/\/$/, '')) || !(query.has('e') || query.has('t'))) return;
  const mailLink: MailLink = { email: query.get('e'), token: query.get('t') };
  query.delete('e');
  query.delete('t');
  const rest = query.size > 0 ? `?${query}` : '';
  // React Router keeps a location's state in `usr`.
  window.history.replaceState({ usr: { mailLink } }, '', pathname + rest + hash);
}

/** The link that led to this history entry; `null` parts if there was none. */
export function readMailLink(state: unknown = window.history.state?.usr): MailLink {
  const { email, token } = (state as { mailLink?: Partial<MailLink> } | null | undefined)?.mailLink ?? {};
  return { email: email || null, token: token || null };
}
