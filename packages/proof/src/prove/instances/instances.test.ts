import instances from '../groups/instances.ts';
import { sampleAttacks } from '../sample-attacks.ts';

// Processes cost seconds to start; the proof does the rest.
const SAMPLED = ['F25'];

sampleAttacks({ ...instances, attacks: instances.attacks.filter(({ id }) => SAMPLED.includes(id)) });
