import { sampleAttacks } from '../sample-attacks.ts';
import instances from './group.ts';

// Processes take seconds to start; the proof plays the rest.
const SAMPLED = ['F25'];

sampleAttacks({ ...instances, attacks: instances.attacks.filter(({ id }) => SAMPLED.includes(id)) });
