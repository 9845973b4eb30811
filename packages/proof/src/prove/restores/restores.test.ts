import restores from '../groups/restores.ts';
import { sampleAttacks } from '../sample-attacks.ts';

/** Spreads the unreadable lists over the ways of restoring. */
const ORDER = restores.attacks.map(({ id }) => id);

sampleAttacks(restores, { runOf: (id) => ORDER.indexOf(id) % 5 });
