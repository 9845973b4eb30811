import { env } from './env.ts';

/** Passkeys and cookies belong to one origin, so on any other the console does nothing. */
export class ElsewhereError extends Error {
  override name = 'ElsewhereError';
}

export function stayAtHome(): void {
  if (env.officeUrl !== '' && window.location.origin !== env.officeUrl) throw new ElsewhereError();
}
