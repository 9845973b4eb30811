import races from '../groups/races.ts';
import { sampleAttacks } from '../sample-attacks.ts';

sampleAttacks(races);
