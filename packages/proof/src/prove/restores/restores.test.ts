import { sampleAttacks } from '../sample-attacks.ts';
import restores from './group.ts';

/**
 * A way of each kind, with its run: dumps by either statement, another address, a standby that was behind, a machine with
 * its memory, and a base backup with refunds since. The proof plays all thirteen, each with every unreadable list.
 */
const RUNS: Record<string, number> = { R02: 0, R03: 2, R07: 0, R08: 3, R12: 4, R13: 1 };

sampleAttacks(
  { ...restores, attacks: restores.attacks.filter(({ id }) => id in RUNS) },
  { runOf: (id) => RUNS[id] ?? 0 },
);
