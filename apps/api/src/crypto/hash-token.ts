import { createHash } from 'node:crypto';

/** What is stored of a random token, code or key: SHA-256, which is enough for what nobody can guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
