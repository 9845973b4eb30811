import type { AuditItem } from '../audit.ts';

/** A program as screens name it, by its key. */
export const keyWords = (name: string): string => `Key ${name}`;

/** Who did an act, as the audit shows it. Acts that nobody did by hand are the portal's. */
export function whoWords({ kind, name }: AuditItem['who']): string {
  if (kind === 'key') return keyWords(name);
  return kind === 'portal' ? 'The portal' : name;
}
