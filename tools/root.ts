import { resolve } from 'node:path';

/** The checkout's folder. */
export const root: string = resolve(import.meta.dirname, '..');
