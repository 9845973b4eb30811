/**
 * Parses an answer strictly. Refuses duplicate names in an object, because parsers disagree on which one counts, and a
 * hold may depend on it. `undefined` if unreadable.
 */
export function readJsonAnswer(text: string): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  return countNames(parsed) === countWrittenNames(text) ? parsed : undefined;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, child) => sum + countNames(child), own);
}

/** In valid JSON quotes only delimit strings, and a string before a colon is a name. */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)) if (colon) count++;
  return count;
}
