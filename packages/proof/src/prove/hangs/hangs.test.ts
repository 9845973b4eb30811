import { sampleAttacksAtOnce } from '../sample-attacks.ts';
import hangs from './group.ts';
import { openHangsRig } from './rig.ts';

/** A whole hour as in the proof, with a third of the load; most of it waits for time-outs. */
const sample = { ...hangs, open: (databaseUrl: string) => openHangsRig(databaseUrl, { rounds: 4 }) };

sampleAttacksAtOnce(sample, { timeoutMilliseconds: 300_000 });
