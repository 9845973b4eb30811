/**
 * Parses an answer strictly. Refuses duplicate names in an object, because parsers disagree on which one counts, and a
 * hold may depend on it. `undefined` if unreadable.
 */
export function readJsonAnswer(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return countNames(parsed) === countWrittenNames(text) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Doesn't call itself: the parser takes more levels than the stack does. */
function countNames(value: unknown): number {
  const left = [value];
  let count = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) count += children.length;
    for (const child of children) left.push(child);
  }
  return count;
}

/** In valid JSON quotes only delimit strings, and a string before a colon is a name. */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)) if (colon) count++;
  return count;
}
