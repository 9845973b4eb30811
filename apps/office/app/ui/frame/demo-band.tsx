import { useIsHydrated } from '@brightpane/ui/page/use-is-hydrated';
import { env } from '../../lib/env.ts';

/** A banner for portals that move no money. Waits for hydration: the built page doesn't know which portal serves it. */
export function DemoBand() {
  const isHydrated = useIsHydrated();
  return isHydrated && env.isDemo ? <p className="demo-band">Demo: no real money</p> : null;
}
