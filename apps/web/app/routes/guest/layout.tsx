import { Link, Outlet } from 'react-router';
import { rememberScannedNumbers } from '../../lib/scanned-numbers.ts';
import { guestsOnly } from '../../lib/session/guards.ts';
import { useArrivalGuard } from '../../lib/session/use-arrival-guard.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';

export const clientMiddleware = [guestsOnly];

export default function GuestLayout() {
  useArrivalGuard('/invoices');
  return (
    <SiteFrame
      actions={
        <nav aria-label="Account">
          <Link
            className="btn btn-quiet"
            to="/login"
            onClick={() => rememberScannedNumbers(window.location.search)}
          >
            Log In
          </Link>
        </nav>
      }
    >
      <Outlet />
    </SiteFrame>
  );
}
