import { formText } from '@brightpane/ui/forms/form-text';
import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import { redirect } from 'react-router';
import { ConfirmNewEmailScreen, UndoEmailChangeScreen } from '../features/account/mail-screens.tsx';
import { confirmNewEmail, type LinkResult, undoEmailChange } from '../features/account/use-mail-link.ts';
import { isLoggedIn } from '../lib/session/session.ts';
import { NotFoundPage } from '../ui/not-found-page.tsx';
import { SiteFrame } from '../ui/site-frame.tsx';
import type { Route } from './+types/mail.ts';

export async function clientLoader({ params: { what } }: Route.ClientLoaderArgs) {
  // A new password: who is signed in changes it, and others have a link sent.
  if (what === 'password') throw redirect(isLoggedIn() ? '/account' : '/forgot-password');
  return readMailLink();
}

export async function clientAction({ request, params }: Route.ClientActionArgs): Promise<LinkResult> {
  const form = await request.formData();
  switch (params.what) {
    case 'email':
      return confirmNewEmail(readMailLink());
    case 'undo':
      return undoEmailChange(readMailLink(), formText(form, 'password'));
    default:
      throw new Error(`Unknown form action: ${params.what}`);
  }
}

/** Undoing a change logs out, which forgets the link: the page keeps it until it has led on. */
export function shouldRevalidate(): boolean {
  return false;
}

/** The pages behind the links in account mails, for signed-in and signed-out people. */
export default function Mail({ loaderData: link, params: { what } }: Route.ComponentProps) {
  const screen = SCREENS[what];
  return (
    <SiteFrame>{screen ? <div className="auth-column">{screen(link)}</div> : <NotFoundPage />}</SiteFrame>
  );
}

const SCREENS: Record<string, (link: Route.ComponentProps['loaderData']) => React.ReactNode> = {
  email: (link) => <ConfirmNewEmailScreen link={link} />,
  undo: (link) => <UndoEmailChangeScreen link={link} />,
};
