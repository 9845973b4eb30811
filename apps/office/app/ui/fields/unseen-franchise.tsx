import { useEffect } from 'react';
import { Link, useRevalidator, useSearchParams } from 'react-router';
import { useUnseenFranchise } from '../../lib/franchise-choice.ts';
import { changedMe } from '../../lib/me/me-stale.ts';
import { firstPage } from '../list/list-place.ts';

/** Says that the URL names a franchise that isn't one of the person's, so that nothing of it is shown. */
export function UnseenFranchise() {
  const unseen = useUnseenFranchise();
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  // It may have become theirs after they signed in: a file opens new offices.
  useEffect(() => {
    if (unseen === null) return;
    changedMe();
    void revalidate();
  }, [unseen, revalidate]);
  if (unseen === null) return null;
  const own = firstPage(search);
  own.delete('franchiseId');
  return (
    <div className="notice notice-warning" role="status">
      <p>You cannot see franchise {unseen}. Ask an owner or headquarters.</p>
      <Link className="btn btn-outline" to={{ search: own.toString() }}>
        Show yours
      </Link>
    </div>
  );
}
