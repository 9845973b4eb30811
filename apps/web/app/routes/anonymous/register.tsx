import type { ActionResult } from '@brightpane/ui/action-result';
import { formText } from '@brightpane/ui/form-text';
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
