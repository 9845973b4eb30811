import { useSearchParams } from 'react-router';
import type { MyFranchise } from './me/me.ts';
import { useMe } from './me/use-me.ts';

/** The franchise in the URL, or the only one; `null` means all of the person's franchises. */
export function useFranchise(): MyFranchise | null {
  const { franchises } = useMe();
  const [search] = useSearchParams();
  const chosen = franchises.find(({ franchiseId }) => String(franchiseId) === search.get('franchiseId'));
  return chosen ?? (franchises.length === 1 ? (franchises[0] ?? null) : null);
}

/** The URL's franchise parameter, which links within the console keep. */
export function useFranchiseSearch(): string {
  const [search] = useSearchParams();
  const franchiseId = search.get('franchiseId');
  return franchiseId === null ? '' : `?${new URLSearchParams({ franchiseId })}`;
}

/** The zone of a list's times; `null` if it mixes offices of several zones. */
export function useZone(): string | null {
  const { franchises } = useMe();
  const franchise = useFranchise();
  if (franchise !== null) return franchise.timeZone;
  const zones = new Set(franchises.map(({ timeZone }) => timeZone));
  return zones.size === 1 ? (franchises[0]?.timeZone ?? null) : null;
}
