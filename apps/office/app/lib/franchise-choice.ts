import { useSearchParams } from 'react-router';
import type { MyFranchise } from './me/me.ts';
import { useMe } from './me/use-me.ts';

/** The franchise in the URL, or the only one if it names none; `null` means no single one of the person's. */
export function useFranchise(): MyFranchise | null {
  const { franchises } = useMe();
  const asked = useAskedFranchise();
  if (asked === null) return franchises.length === 1 ? (franchises[0] ?? null) : null;
  return franchises.find(({ franchiseId }) => String(franchiseId) === asked) ?? null;
}

/** The franchise in the URL if it isn't one of the person's: a colleague's link, or an office that was taken away. */
export function useUnseenFranchise(): string | null {
  const asked = useAskedFranchise();
  const franchise = useFranchise();
  return franchise === null ? asked : null;
}

function useAskedFranchise(): string | null {
  const [search] = useSearchParams();
  return search.get('franchiseId')?.trim() || null;
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
