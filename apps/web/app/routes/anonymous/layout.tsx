import { Outlet } from 'react-router';
import { anonymousOnly } from '../../lib/guards.ts';
import { Flash } from '../../ui/flash.tsx';
import { SiteFrame } from '../../ui/site-frame.tsx';

export const clientMiddleware = [anonymousOnly];

export default function AnonymousLayout() {
  return (
    <SiteFrame>
      <Flash />
      <Outlet />
    </SiteFrame>
  );
}
