import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import { WelcomeScreen } from '../../features/auth/welcome-screen.tsx';
import type { Route } from './+types/welcome.ts';

export function clientLoader() {
  return readMailLink();
}

export default function Welcome({ loaderData: link }: Route.ComponentProps) {
  return <WelcomeScreen link={link} />;
}
