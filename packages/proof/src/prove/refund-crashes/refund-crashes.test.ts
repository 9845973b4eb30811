import group from '../groups/refund-crashes.ts';
import { sampleAttacks } from '../sample-attacks.ts';

/** The tests of refunds reach every point; of two deaths one after the other, the worst. */
const SAMPLED = ['CR13 three + R24'];

sampleAttacks({ ...group, attacks: group.attacks.filter(({ id }) => SAMPLED.includes(id)) });
