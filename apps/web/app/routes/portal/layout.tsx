import { Outlet } from 'react-router';
import { signedInOnly } from '../../lib/guards.ts';
import { Flash } from '../../ui/flash.tsx';
import { SiteFrame } from '../../ui/site-frame.tsx';

export const clientMiddleware = [signedInOnly];

export default function PortalLayout() {
  return (
    <SiteFrame>
      <Flash />
      <Outlet />
    </SiteFrame>
  );
}
