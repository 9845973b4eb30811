import { sampleAttacks } from '../sample-attacks.ts';
import group from './group.ts';

/** One of each kind of fault; a whole proof plays them all. */
const SAMPLED = ['RF57', 'RF61', 'RF64', 'RF70', 'RF72', 'RF76', 'RF79'];

sampleAttacks({ ...group, attacks: group.attacks.filter(({ id }) => SAMPLED.includes(id)) });
