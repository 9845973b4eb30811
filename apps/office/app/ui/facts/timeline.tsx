import type { Payment } from '@brightpane/contract/office/payments';
import { formatInstant } from '../../lib/times.ts';
import { ByText } from './by-text.tsx';

type Event = Pick<Payment['timeline'][number], 'at' | 'by' | 'text' | 'detail'>;

/** **Timeline**: what happened, oldest first. */
export function Timeline({ events, zone }: { events: Event[]; zone: string }) {
  return (
    <section className="card panel" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol className="history">
        {events.map(({ at, text, detail, by }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and only ever more follow.
          <li key={index}>
            <p>
              <strong>{text}</strong>{' '}
              <time className="quiet" dateTime={at}>
                {formatInstant(at, zone)}
              </time>
              {by !== null && (
                <span className="quiet">
                  , <ByText by={by} />
                </span>
              )}
            </p>
            {detail !== null && <p className="break-anywhere">{detail}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
