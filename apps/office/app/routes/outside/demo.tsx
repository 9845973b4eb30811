import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import { DemoScreen } from '../../features/auth/demo-screen.tsx';
import type { Route } from './+types/demo.ts';

export function clientLoader() {
  return readMailLink();
}

export default function Demo({ loaderData: link }: Route.ComponentProps) {
  return <DemoScreen link={link} />;
}
