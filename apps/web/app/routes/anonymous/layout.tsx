import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { Outlet } from 'react-router';
import { anonymousOnly } from '../../lib/session/anonymous-only.ts';
import { useArrivalGuard } from '../../lib/session/use-arrival-guard.ts';
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
