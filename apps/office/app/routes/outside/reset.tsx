import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import { ResetScreen } from '../../features/auth/reset-screen.tsx';
import type { Route } from './+types/reset.ts';

export function clientLoader() {
  return readMailLink();
}

export default function Reset({ loaderData: link }: Route.ComponentProps) {
  return <ResetScreen link={link} />;
}
