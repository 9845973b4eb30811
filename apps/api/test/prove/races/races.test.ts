import { attackSample } from '../attack-sample.ts';
import races from '../groups/races.ts';

attackSample(races);
