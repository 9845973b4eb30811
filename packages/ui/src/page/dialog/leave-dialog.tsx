import { type ReactNode, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '../dialog.tsx';

/** While something is on its way: asks before a link, Back or a closing tab drops it. */
export function LeaveDialog({
  keepsQuery = false,
  mayLeave = never,
  children,
}: {
  /** The screen stays as it is when only the query changes, as with filters. */
  keepsQuery?: boolean;
  /** Leaves without asking. */
  mayLeave?: () => boolean;
  /** What is under way, and what leaving means. */
  children: ReactNode;
}) {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
    // The same address may be another entry of the history, whose screen begins anew.
    const isElsewhere = !keepsQuery || from.pathname !== to.pathname;
    return isElsewhere && !mayLeave();
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => mayLeave() || event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [mayLeave]);
  const stay = () => blocker.reset?.();
  return (
    <Dialog title="Leave this screen?" isOpen={blocker.state === 'blocked'} onClose={stay}>
      <p>{children}</p>
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

const never = () => false;
