import { useSearchParams } from 'react-router';
import type { MyFranchise } from './me/me.ts';
import { useMe } from './me/use-me.ts';

/** The franchise that stands in the URL, or the only one there is; `null`: all that one sees. */
export function useFranchise(): MyFranchise | null {
  const { franchises } = useMe();
  const [search] = useSearchParams();
  const chosen = franchises.find(({ franchiseId }) => String(franchiseId) === search.get('franchiseId'));
  return chosen ?? (franchises.length === 1 ? (franchises[0] ?? null) : null);
}

/** The part of an address that names the franchise: ways within the console keep it. */
export function useFranchiseSearch(): string {
  const [search] = useSearchParams();
  const franchiseId = search.get('franchiseId');
  return franchiseId === null ? '' : `?${new URLSearchParams({ franchiseId })}`;
}

/** The zone that the times of a list are in; `null` where offices of several zones are mixed. */
export function useZone(): string | null {
  const { franchises } = useMe();
  const franchise = useFranchise();
  if (franchise !== null) return franchise.timeZone;
  const zones = new Set(franchises.map(({ timeZone }) => timeZone));
  return zones.size === 1 ? (franchises[0]?.timeZone ?? null) : null;
}
