import group from './groups/provider-faults.ts';
import { sampleAttacks } from './sample-attacks.ts';

sampleAttacks(group);
