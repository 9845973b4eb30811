/** A zone of an office where it is day for hours to come: what a test finds by "today" stays of today while it runs. */
export const zoneByDay = (now = new Date()): string =>
  now.getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/Chicago';
