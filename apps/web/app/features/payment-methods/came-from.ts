/**
 * The page that sent somebody here to add a card, from the history state that its link set: `state={{ returnTo }}`.
 * Only a path of this portal counts; without one it is the list of cards.
 */
export function cameFrom(state: unknown): string {
  const returnTo = (state as { returnTo?: unknown } | null)?.returnTo;
  return typeof returnTo === 'string' && /^\/(?![/\\])/.test(returnTo) ? returnTo : '/payment-methods';
}
