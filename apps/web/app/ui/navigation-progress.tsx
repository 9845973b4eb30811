import { useNavigation } from 'react-router';
import { useIsLong } from '../lib/use-is-long.ts';

/** What loads faster seems to come at once. */
const A_MOMENT_MILLISECONDS = 300;

/** Says that the next screen is on its way, if that takes longer than a moment. */
export function NavigationProgress() {
  const isLong = useIsLong(useNavigation().state === 'loading', A_MOMENT_MILLISECONDS);
  return (
    <div aria-live="polite">
      {isLong && (
        <div className="navigation-progress">
          <span className="visually-hidden">Loading…</span>
        </div>
      )}
    </div>
  );
}
