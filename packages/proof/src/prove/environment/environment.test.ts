import { sampleAttacks } from '../sample-attacks.ts';
import environment from './group.ts';

// Attacks that need no process or database server of their own, and one with a sleeping process; the proof runs all.
const SAMPLED = ['F35', 'F36', 'F40', 'F43'];
/** Attacks whose first runs show little, such as serialization failures that outlast their retries. */
const RUNS: Record<string, number> = { F35: 3, F36: 11 };

sampleAttacks(
  { ...environment, attacks: environment.attacks.filter(({ id }) => SAMPLED.includes(id)) },
  { runOf: (id) => RUNS[id] ?? 0 },
);
