import { LandingScreen } from '../../features/quick-pay/landing-screen.tsx';

/** Nothing to load; it is here so that the guard runs on the prerendered page too. */
export async function clientLoader(): Promise<null> {
  return null;
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LandingScreen />;
}

export default function Landing() {
  return <LandingScreen />;
}
