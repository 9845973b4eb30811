import { deriveKeys } from '../../../crypto/derive-key.ts';
import { isSameInConstantTime, signText } from '../../../crypto/signature.ts';
import type { Deps } from '../../../deps.ts';

const PURPOSE = 'undoing changes of an email address';

/** Derived from the change's id, so that both mails to the old address carry the same link. */
export function undoLink(
  { env }: Pick<Deps, 'env'>,
  { id, oldEmail }: { id: string; oldEmail: string },
): string {
  const [newest] = deriveKeys(env, PURPOSE);
  const token = `${id}.${signText(newest, id)}`;
  return `${env.PUBLIC_URL}/mail/undo?${new URLSearchParams({ e: oldEmail, t: token })}`;
}

/** The change that a token is for, or null if we never issued it. */
export function readUndoToken({ env }: Pick<Deps, 'env'>, token: string): string | null {
  const [id = '', given = '', ...more] = token.split('.');
  if (more.length > 0) return null;
  const isOurs = deriveKeys(env, PURPOSE).some((key) => isSameInConstantTime(given, signText(key, id)));
  return isOurs ? id : null;
}
