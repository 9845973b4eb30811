/** The last time zone to end a day is twelve hours behind UTC. */
const LAST_ZONE_HOURS = 12;

/**
 * Whether a card's last month has ended in every time zone. `expiresMonth` is any day of that month (`2027-03-01`);
 * without one, the provider decides.
 */
export function isCardExpired(expiresMonth: string | null, now: Date): boolean {
  if (expiresMonth === null) return false;
  const month = new Date(now.getTime() - LAST_ZONE_HOURS * 3_600_000).toISOString().slice(0, 7);
  return expiresMonth.slice(0, 7) < month;
}
