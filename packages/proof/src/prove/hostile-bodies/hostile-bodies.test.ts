import { sampleAttacks } from '../sample-attacks.ts';
import hostileBodies from './group.ts';

sampleAttacks(hostileBodies, { timeoutMilliseconds: 300_000 });
