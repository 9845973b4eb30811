import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { Outlet } from 'react-router';
import { anonymousOnly } from '../../lib/guards.ts';
import { useArrivalGuard } from '../../lib/use-arrival-guard.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';

export const clientMiddleware = [anonymousOnly];

export default function AnonymousLayout() {
  useArrivalGuard('/');
  return (
    <SiteFrame>
      <div className="auth-column">
        <Flash />
        <Outlet />
      </div>
    </SiteFrame>
  );
}
