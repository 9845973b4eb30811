/** The clocks of the last place on earth to end a day are twelve hours behind UTC. */
const LAST_ZONE_HOURS = 12;

/**
 * Whether a card's last month has ended everywhere. `expiresMonth` is any day of that month (`2027-03-01`); a card
 * without one is left to the provider to judge.
 */
export function isCardExpired(expiresMonth: string | null, now: Date): boolean {
  if (expiresMonth === null) return false;
  const month = new Date(now.getTime() - LAST_ZONE_HOURS * 3_600_000).toISOString().slice(0, 7);
  return expiresMonth.slice(0, 7) < month;
}
