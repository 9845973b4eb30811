import type { Location } from '@brightpane/contract/customers/locations';
import { useMediaQuery } from '@brightpane/ui/page/use-media-query';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { locationAddress, locationName } from './location-name.ts';

/** The locations that have invoices, with the current one marked. On narrow screens they fold under its name. */
export function LocationSidebar({
  locations,
  current,
  balance,
}: {
  locations: readonly Location[];
  /** Shown while the list is folded. */
  current: string;
  balance: ReactNode;
}) {
  const { pathname } = useLocation();
  const isWide = useMediaQuery('(min-width: 992px)');
  const links = (
    <nav aria-label="Locations" className="location-links">
      <NavLink to="/invoices" className="location-link">
        All Unpaid Invoices
      </NavLink>
      <ul>
        {locations.map((location) => (
          <li key={location.locationId}>
            <NavLink to={`/locations/${location.locationId}`} className="location-link">
              <span className="location-name">{locationName(location)}</span>
              <span className="quiet" data-sentry-block>
                {locationAddress(location)}
              </span>
            </NavLink>
          </li>
        ))}
      </ul>
      <Link to="/locations/add" className="location-link location-add">
        Add Location
      </Link>
    </nav>
  );
  return (
    <aside className="sidebar" aria-label="Your account">
      {balance}
      {isWide ? (
        links
      ) : (
        <details className="location-menu" key={pathname}>
          <summary>{current}</summary>
          {links}
        </details>
      )}
    </aside>
  );
}
