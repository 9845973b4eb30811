import type { Deps } from '../src/deps.ts';
import { openGateways } from '../src/gateway/open-gateways.ts';

/**
 * After the emulator was reset it is a different provider, so forget what this process remembers: its breakers and what
 * it has read of the lists.
 */
export function forgetProvider(deps: Deps): void {
  deps.gateways = openGateways({ baseUrl: deps.env.USAEPAY_URL });
}
