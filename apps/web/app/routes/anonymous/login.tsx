import { formText } from '@brightpane/ui/forms/form-text';
import { replace } from 'react-router';
import { resendConfirmation } from '../../features/auth/resend-confirmation.ts';
import { type SignInResult, signIn } from '../../features/auth/sign-in.ts';
import { SignInScreen } from '../../features/auth/sign-in-screen.tsx';
import { takeReturnPath } from '../../lib/session/return-path.ts';
import type { Route } from './+types/login.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<SignInResult> {
  const form = await request.formData();
  const email = formText(form, 'email').trim();
  const intent = formText(form, 'intent');
  switch (intent) {
    case 'sign-in': {
      const result = await signIn({ email, password: formText(form, 'password') });
      if (result.success) throw replace(takeReturnPath());
      return result;
    }
    case 'resend-confirmation':
      return { ...(await resendConfirmation(email)), email };
    default:
      throw new Error(`Unknown form action: ${intent}`);
  }
}

export default function Login() {
  return <SignInScreen />;
}
