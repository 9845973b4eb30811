import type { Deps } from '../src/deps.ts';
import { openGateways } from '../src/gateway/open-gateways.ts';

/**
 * An emulator that was reset is another provider: what a process remembers of the one before, its breakers and what it
 * has read of the lists, says nothing of this one.
 */
export function forgetProvider(deps: Deps): void {
  deps.gateways = openGateways({ baseUrl: deps.env.USAEPAY_URL });
}
