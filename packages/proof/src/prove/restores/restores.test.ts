import { sampleAttacks } from '../sample-attacks.ts';
import restores from './group.ts';

/**
 * A way of each kind, with its run: dumps by either statement, a base backup, another address, a standby that was behind,
 * and a machine with its memory. The proof plays all twelve, each with every unreadable list.
 */
const RUNS: Record<string, number> = { R02: 0, R03: 2, R04: 1, R07: 0, R08: 3, R12: 4 };

sampleAttacks(
  { ...restores, attacks: restores.attacks.filter(({ id }) => id in RUNS) },
  { runOf: (id) => RUNS[id] ?? 0 },
);
