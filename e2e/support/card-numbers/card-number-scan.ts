/**
 * Finds these numbers in a text, whole or in parts. Shares no code with the portal's own check, on purpose. It looks for
 * what was typed rather than for any card number, since one hash in a thousand contains what looks like one.
 */
export function findCardNumbers(text: string, numbers: readonly string[]): string[] {
  const spellings = spellingsOf(text, 2);
  return numbers.filter((number) => {
    const inParts = new RegExp([...number].join(BETWEEN));
    return spellings.some((spelling) => inParts.test(spelling));
  });
}

/** Separators that people and programs put between digits. */
const BETWEEN = '[ \\t.\\-–—_/\\u00a0]{0,2}';

/** The text and its decoded forms: URLs, JSON, base64 and Postgres bytea. */
function spellingsOf(text: string, depth: number): string[] {
  if (depth === 0) return [text];
  const undone = [
    text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ...(text.match(/[A-Za-z0-9+/_-]{18,}={0,2}/g) ?? []).map(fromBase64),
    ...[...text.matchAll(/\\x([0-9a-f]{26,})/gi)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    ),
  ].filter((other) => other !== text && /\d/.test(other));
  return [text, ...undone.flatMap((other) => spellingsOf(other, depth - 1))];
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}
