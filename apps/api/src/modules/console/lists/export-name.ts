import type { VisibleOffice } from './visible-offices.queries.ts';

/** `payments-11-2026-11-01-to-2026-11-30-America-Chicago.csv`; leaves out what isn't bounded or isn't unique. */
export function exportName(
  list: string,
  {
    offices,
    franchiseId,
    from,
    to,
  }: {
    offices: readonly VisibleOffice[];
    /** The one that was asked for, though it may not be visible. */
    franchiseId?: number | undefined;
    from?: string | undefined;
    to?: string | undefined;
  },
): string {
  const [office] = offices;
  const zones = new Set(offices.map(({ timeZone }) => timeZone));
  const parts = [
    list,
    franchiseId ?? (offices.length === 1 ? office?.franchiseId : 'all'),
    from && to ? `${from}-to-${to}` : from ? `from-${from}` : to ? `to-${to}` : null,
    zones.size === 1 ? office?.timeZone.replaceAll('/', '-') : null,
  ];
  return `${parts.filter((part) => part !== null && part !== undefined).join('-')}.csv`;
}
