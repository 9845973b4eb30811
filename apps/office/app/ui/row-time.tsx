import { useZone } from '../lib/franchise-choice.ts';
import { formatInstant, zoneCity } from '../lib/times.ts';
import { useMe } from '../lib/use-me.ts';

/** An instant in its franchise's zone, which is named where a list mixes several. */
export function RowTime({ at, franchiseId }: { at: string; franchiseId: number | null }) {
  const { franchises } = useMe();
  const own = franchises.find((each) => each.franchiseId === franchiseId)?.timeZone;
  const shared = useZone();
  const zone = own ?? shared ?? 'UTC';
  return (
    <time dateTime={at}>
      {formatInstant(at, zone)}
      {shared === null && <span className="row-zone"> {zoneCity(zone)}</span>}
    </time>
  );
}
