import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, withTransitions } from './docs/transitions-page.ts';
import { root } from './root.ts';

/** Regenerates the engine's state diagrams after its table has changed. */
const page = join(root, PAGE);
writeFileSync(page, withTransitions(readFileSync(page, 'utf8')));
