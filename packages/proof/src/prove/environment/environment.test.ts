import environment from '../groups/environment.ts';
import { sampleAttacks } from '../sample-attacks.ts';

// What needs neither a process nor a database server of its own, and a process that sleeps; the proof does the rest.
const SAMPLED = ['F35', 'F36', 'F40', 'F43'];
/** Those whose first runs show little: serialisation failures that outlive their retries. */
const RUNS: Record<string, number> = { F35: 3, F36: 11 };

sampleAttacks(
  { ...environment, attacks: environment.attacks.filter(({ id }) => SAMPLED.includes(id)) },
  { runOf: (id) => RUNS[id] ?? 0 },
);
