/** A word as it was typed, and what it says. Quotation marks keep words together, and are read as nothing else. */
export type Token = { typed: string; text: string; isQuoted: boolean };

const TOKEN = /"([^"]*)"?|([^\s"]+)/g;

export function splitTokens(search: string): Token[] {
  return [...search.matchAll(TOKEN)]
    .map(([typed, quoted, plain]) => ({
      typed,
      text: (quoted ?? plain ?? '').trim(),
      isQuoted: quoted !== undefined,
    }))
    .filter(({ text }) => text !== '');
}
