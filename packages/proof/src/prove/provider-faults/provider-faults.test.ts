import { sampleAttacks } from '../sample-attacks.ts';
import group from './group.ts';

/** The one misleading list that no other test covers: a stale list that doesn't show it. */
const STALE_LIST = 5;

sampleAttacks(group, { runOf: (id) => (id === 'F16' ? STALE_LIST : 0) });
