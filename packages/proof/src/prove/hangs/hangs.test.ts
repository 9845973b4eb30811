import hangs from '../groups/hangs.ts';
import { sampleAttacks } from '../sample-attacks.ts';
import { openHangsBench } from './bench.ts';

/** A whole hour as in the proof, with a third of the load. */
const sample = { ...hangs, open: (databaseUrl: string) => openHangsBench(databaseUrl, { rounds: 4 }) };

sampleAttacks(sample, { timeoutMilliseconds: 300_000 });
