/** The filter of the payment lists, as the URL carries it. */
export type HistoryFilter = { year: number; locationId: string | null };

/** Defaults to the current year in the browser's time zone. */
export function readFilter(search: URLSearchParams, now = new Date()): HistoryFilter {
  const year = search.get('year') ?? '';
  const locationId = search.get('locationId') ?? '';
  return {
    year: /^[1-9]\d{3}$/.test(year) ? Number(year) : now.getFullYear(),
    locationId: /^\d{1,15}$/.test(locationId) ? locationId : null,
  };
}

/** The filter as the API takes it. */
export const filterQuery = ({ year, locationId }: HistoryFilter): Record<string, string> => ({
  year: String(year),
  ...(locationId !== null && { locationId }),
});

export function paymentsPath(filter: HistoryFilter, { isStatement = false } = {}): string {
  const query = new URLSearchParams({
    ...(isStatement && { view: 'statement' }),
    ...filterQuery(filter),
  });
  return `/payments?${query}`;
}
