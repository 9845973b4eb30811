import { sampleAttacks } from '../sample-attacks.ts';
import races from './group.ts';

sampleAttacks(races);
