/** Who did something, as screens name it: a person as they are, `key:Nightly import` as a program. */
export const byWords = (by: string): string => by.replace(/^key:/, 'Key ');
