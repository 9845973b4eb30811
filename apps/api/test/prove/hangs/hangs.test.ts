import hangs from '../groups/hangs.ts';
import { sampleAttacks } from '../sample-attacks.ts';

sampleAttacks(hangs, { timeoutMilliseconds: 300_000 });
