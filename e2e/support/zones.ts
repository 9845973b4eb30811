/** A zone in which it will be day for hours, so that "today" doesn't change while a test runs. */
export const zoneByDay = (now = new Date()): string =>
  now.getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/Chicago';
