/** What a link from a mail brings along: the address it was sent to (`e`) and a token (`t`). */
export type MailLink = { email: string | null; token: string | null };

/**
 * Takes address and token of these screens out of the address bar and keeps them in the history's state, where they
 * survive a reload.
 * To be called before anything reports or renders: whatever records addresses would record the token.
 */
export function takeMailLinkFromAddress(screens: string[]): void {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  if (!screens.includes(pathname.replace(/\/$/, '')) || !(query.has('e') || query.has('t'))) return;
  const mailLink: MailLink = { email: query.get('e'), token: query.get('t') };
  query.delete('e');
  query.delete('t');
  const rest = query.size > 0 ? `?${query}` : '';
  // `usr` is where React Router's history keeps the state of a location.
  window.history.replaceState({ usr: { mailLink } }, '', pathname + rest + hash);
}

/** The link that led to the current history entry; its parts are `null` where there was none. */
export function readMailLink(state: unknown = window.history.state?.usr): MailLink {
  const { email, token } = (state as { mailLink?: Partial<MailLink> } | null | undefined)?.mailLink ?? {};
  return { email: email || null, token: token || null };
}
