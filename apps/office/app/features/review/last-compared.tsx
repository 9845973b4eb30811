import type { Differences } from '@brightpane/contract/office/review';
import { OwnTime } from '../../ui/facts/own-time.tsx';

/** When the books were last compared, whether the provider showed everything, and how much differed. */
export function LastCompared({ comparison }: { comparison: Differences['lastComparison'] }) {
  return (
    <p role="status">
      {comparison === null ? (
        'Nothing was compared yet.'
      ) : (
        <>
          Last compared <OwnTime at={comparison.at} />, {comparison.isComplete ? 'complete' : 'incomplete'},{' '}
          {comparison.differences} {comparison.differences === 1 ? 'difference' : 'differences'}.
        </>
      )}
    </p>
  );
}
