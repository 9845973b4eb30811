import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { register } from '../../features/auth/register.ts';
import { RegisterScreen } from '../../features/auth/register-screen.tsx';
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
