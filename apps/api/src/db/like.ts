const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** Patterns for LIKE, in which every character of the text stands for itself. */
export const startingWith = (text: string) => `${escaped(text)}%`;
export const containing = (text: string) => `%${escaped(text)}%`;
