import { useNavigate } from 'react-router';
import { useFranchise, useUnseenFranchise } from '../../lib/franchise-choice.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { firstPage } from '../list/list-place.ts';

/** Selects the franchise in the URL. Filters stay; the place in a list doesn't. */
export function FranchiseSelect() {
  const { franchises } = useMe();
  const franchise = useFranchise();
  const unseen = useUnseenFranchise();
  const navigate = useNavigate();
  return (
    <label className="franchise-select">
      <span className="visually-hidden">Franchise</span>
      <select
        className="form-select"
        value={franchise?.franchiseId ?? unseen ?? ''}
        onChange={({ target }) => {
          const search = firstPage(new URLSearchParams(window.location.search));
          if (target.value === '') search.delete('franchiseId');
          else search.set('franchiseId', target.value);
          // A form would be sent to the frame's own address, which is the start screen's.
          void navigate({ search: search.toString() });
        }}
      >
        {franchises.length !== 1 && <option value="">All franchises</option>}
        {unseen !== null && <option value={unseen}>{unseen} (not yours)</option>}
        {franchises.map(({ franchiseId, name }) => (
          <option key={franchiseId} value={franchiseId}>
            {franchiseId} {name}
          </option>
        ))}
      </select>
    </label>
  );
}
