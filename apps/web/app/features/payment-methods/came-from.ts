/**
 * The page that sent somebody here to add a card, from its link's history state: `state={{ returnTo }}`. Accepts
 * only paths of this portal; the default is the list of cards.
 */
export function cameFrom(state: unknown): string {
  const returnTo = (state as { returnTo?: unknown } | null)?.returnTo;
  return typeof returnTo === 'string' && /^\/(?![/\\])/.test(returnTo) ? returnTo : '/payment-methods';
}
