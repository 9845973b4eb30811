// Characters that terminals and editors obey: controls, line ends, direction marks, lone surrogates. JSON escapes some of
// them.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text that others typed, so that it stays on its line and commands no terminal. */
export function escapeInvisible(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(INVISIBLE, (character) => character.split('').map(escapeUnit).join(''));
}
