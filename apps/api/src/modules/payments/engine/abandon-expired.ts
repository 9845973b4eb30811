import type { Deps } from '../../../deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { type DecideDeps, decide } from './decide.ts';
import type { Decided } from './decided.ts';

/**
 * Ends a payment that is past its deadline. Anyone who meets it may do this; its own request can then no longer accept
 * it. `unmoved`: these books may be older than the provider's, and lack its acceptance.
 */
export async function abandonExpired(
  deps: DecideDeps & Pick<Deps, 'books'>,
  { intentId }: { intentId: string },
): Promise<Decided> {
  // A process that has seen more than its database knows begins an epoch, in which nothing is ended before a look.
  await currentEpoch(deps);
  return decide(deps, {
    intentId,
    decision: { event: 'abandon', outcome: { code: 'expired' }, refused: [], onlyIfExpired: true },
  });
}
