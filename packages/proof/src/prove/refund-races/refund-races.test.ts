import { sampleAttacks } from '../sample-attacks.ts';
import group from './group.ts';

/** Each kind of race once. */
const SAMPLED = ['RR01', 'RR03', 'RR08', 'RR10'];

sampleAttacks({ ...group, attacks: group.attacks.filter(({ id }) => SAMPLED.includes(id)) });
