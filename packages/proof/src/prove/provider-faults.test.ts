import group from './groups/provider-faults.ts';
import { sampleAttacks } from './sample-attacks.ts';

/** Of the lists that mislead, one that no other test has: it is stale, and nothing in it shows that. */
const STALE_LIST = 5;

sampleAttacks(group, { runOf: (id) => (id === 'F16' ? STALE_LIST : 0) });
