import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** While a file is on its way: asks before a link or a closing tab stops it. */
export function LeaveDialog({ at }: { at: 'checking' | 'importing' }) {
  // Filters and the history's pages change the query alone and leave the screen as it is.
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return currentLocation.pathname !== nextLocation.pathname;
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const stay = () => blocker.reset?.();
  return (
    <Dialog title="Leave this screen?" isOpen={blocker.state === 'blocked'} onClose={stay}>
      <p>
        {at === 'checking'
          ? 'The file is still being checked. Leaving stops the check; nothing has changed so far.'
          : 'The file is still being imported. If you leave, you do not see whether it was: look for it in the history.'}
      </p>
      <div className="button-row">
        <button type="button" className="btn btn-primary" onClick={stay}>
          Stay
        </button>
        <button type="button" className="btn btn-outline" onClick={() => blocker.proceed?.()}>
          Leave
        </button>
      </div>
    </Dialog>
  );
}
