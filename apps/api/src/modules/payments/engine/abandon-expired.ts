import { type DecideDeps, decide } from './decide.ts';
import type { Decided } from './decided.ts';

/**
 * Ends a payment that is past its deadline. Anyone who meets it may do this; its own request can
 * then no longer accept it.
 */
export function abandonExpired(deps: DecideDeps, { intentId }: { intentId: string }): Promise<Decided> {
  return decide(deps, {
    intentId,
    decision: { event: 'abandon', outcome: { code: 'expired' }, refused: [], onlyIfExpired: true },
  });
}
