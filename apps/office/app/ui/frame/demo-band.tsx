import { useIsHydrated } from '@brightpane/ui/page/use-is-hydrated';
import { env } from '../../lib/env.ts';

/** Above every screen of a portal that moves no money. The page as built does not know which portal it is of. */
export function DemoBand() {
  const isHydrated = useIsHydrated();
  return isHydrated && env.isDemo ? <p className="demo-band">Demo: no real money</p> : null;
}
