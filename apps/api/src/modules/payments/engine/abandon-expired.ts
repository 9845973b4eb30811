import { type DecideDeps, decide } from './decide.ts';
import type { Decided } from './decided.ts';

/** Ends a payment whose time is up. Whoever meets it may; the request that began it can then no longer accept it. */
export function abandonExpired(deps: DecideDeps, { intentId }: { intentId: string }): Promise<Decided> {
  return decide(deps, {
    intentId,
    decision: { event: 'abandon', outcome: { code: 'expired' }, refused: [], onlyIfExpired: true },
  });
}
