import type { Me } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Outlet } from 'react-router';
import { signOut } from '../../features/auth/sign-out.ts';
import { loadData } from '../../lib/load-data.ts';
import { isMeStale, meIsLoading } from '../../lib/me/me-stale.ts';
import { MeContext } from '../../lib/me/use-me.ts';
import { showPagesOf } from '../../lib/pages-person.ts';
import { OfficeFrame } from '../../ui/frame/office-frame.tsx';
import type { Route } from './+types/layout.ts';

/** Loads the signed-in person once for the whole console. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const hasLoaded = meIsLoading();
  const me = await loadData<Me>(OFFICE_ENDPOINTS.me);
  if (!request.signal.aborted) hasLoaded();
  showPagesOf(me.staffId);
  return me;
}

export function shouldRevalidate(): boolean {
  return isMeStale();
}

export default function ConsoleLayout({ loaderData: me }: Route.ComponentProps) {
  return (
    <MeContext value={me}>
      <OfficeFrame onSignOut={signOut}>
        <Outlet />
      </OfficeFrame>
    </MeContext>
  );
}
