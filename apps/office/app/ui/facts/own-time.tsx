import { useZone } from '../../lib/franchise-choice.ts';
import { formatInstant } from '../../lib/times.ts';

/** An instant that belongs to no franchise: in the zone of one's own offices, or in UTC where those are mixed. */
export function OwnTime({ at }: { at: string }) {
  const zone = useZone();
  return <time dateTime={at}>{zone ? formatInstant(at, zone) : `${formatInstant(at, 'UTC')} UTC`}</time>;
}
