import { resolve } from 'node:path';

/** The folder of the checkout. */
export const root: string = resolve(import.meta.dirname, '..');
