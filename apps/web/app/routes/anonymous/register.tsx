import { register } from '../../features/auth/register.ts';
import { RegisterScreen } from '../../features/auth/register-screen.tsx';
import type { ActionResult } from '../../lib/action-result.ts';
import { formText } from '../../lib/form-text.ts';
import type { Route } from './+types/register.ts';

/** Nothing to load; it is here so that the guard runs on the prerendered page too. */
export async function clientLoader(): Promise<null> {
  return null;
}
clientLoader.hydrate = true as const;

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  return register({
    email: formText(form, 'email').trim(),
    firstName: formText(form, 'firstName').trim(),
    lastName: formText(form, 'lastName').trim(),
    password: formText(form, 'password'),
  });
}

export function HydrateFallback() {
  return <RegisterScreen />;
}

export default function RegisterPage() {
  return <RegisterScreen />;
}
