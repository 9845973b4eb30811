import { useZone } from '../../lib/franchise-choice.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { formatInstant, zoneCity } from '../../lib/times.ts';

/** An instant in its franchise's zone; names the zone if it isn't the whole list's. */
export function RowTime({
  at,
  franchiseId,
  zone: given,
}: {
  at: string;
  franchiseId: number | null;
  /** For rows that name their zone themselves. */
  zone?: string;
}) {
  const { franchises } = useMe();
  const own = franchises.find((each) => each.franchiseId === franchiseId)?.timeZone;
  const shared = useZone();
  const zone = given ?? own ?? shared ?? 'UTC';
  return (
    <time dateTime={at}>
      {formatInstant(at, zone)}
      {zone !== shared && <span className="row-zone"> {zoneCity(zone)}</span>}
    </time>
  );
}
