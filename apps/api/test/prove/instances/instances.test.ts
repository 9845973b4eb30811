import instances from '../groups/instances.ts';
import { sampleAttacks } from '../sample-attacks.ts';

// Each start of a process costs seconds; the proof does the rest.
const SAMPLED = ['F25', 'F33 under way'];

sampleAttacks({ ...instances, attacks: instances.attacks.filter(({ id }) => SAMPLED.includes(id)) });
