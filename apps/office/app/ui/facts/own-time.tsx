import { useZone } from '../../lib/franchise-choice.ts';
import { formatInstant } from '../../lib/times.ts';

/** An instant of no franchise: in the zone of the person's offices, or in UTC if those differ. */
export function OwnTime({ at }: { at: string }) {
  const zone = useZone();
  return <time dateTime={at}>{zone ? formatInstant(at, zone) : `${formatInstant(at, 'UTC')} UTC`}</time>;
}
