/** A zone in which it will be day for hours, so that "today" doesn't change while a test runs. */
export const zoneByDay = (): string => (new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/Chicago');
