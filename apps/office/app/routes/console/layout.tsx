import { Outlet } from 'react-router';
import { ME } from '../../features/auth/auth-calls.ts';
import { signOut } from '../../features/auth/sign-out.ts';
import { loadData } from '../../lib/load-data.ts';
import type { Me } from '../../lib/me.ts';
import { MeContext } from '../../lib/use-me.ts';
import { OfficeFrame } from '../../ui/office-frame.tsx';
import type { Route } from './+types/layout.ts';

/** Who is signed in. Asked once; what changes it (the account's switches) asks again. */
export async function clientLoader() {
  return loadData<Me>(ME);
}

export function shouldRevalidate({ formAction }: { formAction?: string }): boolean {
  return formAction?.endsWith('/settings/account') ?? false;
}

export default function ConsoleLayout({ loaderData: me }: Route.ComponentProps) {
  return (
    <MeContext value={me}>
      <OfficeFrame onSignOut={() => void signOut()}>
        <Outlet />
      </OfficeFrame>
    </MeContext>
  );
}
