import hangs from '../groups/hangs.ts';
import { sampleAttacksAtOnce } from '../sample-attacks.ts';
import { openHangsBench } from './bench.ts';

/** A whole hour as in the proof, with a third of the load; most of it waits for time-outs. */
const sample = { ...hangs, open: (databaseUrl: string) => openHangsBench(databaseUrl, { rounds: 4 }) };

sampleAttacksAtOnce(sample, { timeoutMilliseconds: 300_000 });
