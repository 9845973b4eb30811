import hostileBodies from '../groups/hostile-bodies.ts';
import { sampleAttacks } from '../sample-attacks.ts';

sampleAttacks(hostileBodies, { timeoutMilliseconds: 300_000 });
