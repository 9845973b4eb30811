import group from '../groups/refund-races.ts';
import { sampleAttacks } from '../sample-attacks.ts';

/** Each kind of race once. */
const SAMPLED = ['RR01', 'RR03', 'RR08', 'RR10'];

sampleAttacks({ ...group, attacks: group.attacks.filter(({ id }) => SAMPLED.includes(id)) });
