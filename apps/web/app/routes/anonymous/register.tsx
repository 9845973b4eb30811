import { register } from '../../features/auth/register.ts';
import { RegisterScreen } from '../../features/auth/register-screen.tsx';
import type { ActionResult } from '../../lib/action-result.ts';
import { formText } from '../../lib/form-text.ts';
import type { Route } from './+types/register.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  return register({
    email: formText(form, 'email').trim(),
    firstName: formText(form, 'firstName').trim(),
    lastName: formText(form, 'lastName').trim(),
    password: formText(form, 'password'),
  });
}

export default function RegisterPage() {
  return <RegisterScreen />;
}
