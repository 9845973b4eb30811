const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Formats one row as text for `COPY … FROM STDIN`. */
export function copyLine(values: readonly (string | number | boolean | null)[]): string {
  let line = '';
  for (const [index, value] of values.entries()) {
    if (index > 0) line += '\t';
    if (value === null) line += '\\N';
    else if (typeof value === 'string' && SPECIAL.test(value)) {
      line += value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
    } else line += value;
  }
  return `${line}\n`;
}
