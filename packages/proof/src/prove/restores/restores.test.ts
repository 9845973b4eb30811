import restores from '../groups/restores.ts';
import { sampleAttacks } from '../sample-attacks.ts';

/** Each way with another list that cannot be read first. */
const ORDER = restores.attacks.map(({ id }) => id);

sampleAttacks(restores, { runOf: (id) => ORDER.indexOf(id) % 5 });
