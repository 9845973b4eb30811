/** A token as typed and as read. Quotation marks keep words together, which then are only read as words. */
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
