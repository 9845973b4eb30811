import { sampleAttacks } from '../sample-attacks.ts';
import group from './group.ts';

/** The refunds' own tests reach every point; of the double crashes, this samples the worst. */
const SAMPLED = ['CR13 three + R24'];

sampleAttacks({ ...group, attacks: group.attacks.filter(({ id }) => SAMPLED.includes(id)) });
