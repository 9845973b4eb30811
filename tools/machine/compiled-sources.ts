import { join } from 'node:path';
import { root } from '../root.ts';

/** `NODE_COMPILE_CACHE` for programs that tests run from their sources, most of them many times. */
export const COMPILED_SOURCES: string = join(root, 'node_modules/.cache/compiled-sources');
