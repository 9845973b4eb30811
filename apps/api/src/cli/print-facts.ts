/** Prints an answer for people: one fact per line, with a blank line between list items. */
export function printFacts(answer: unknown, print: (line: string) => void, indent = ''): void {
  if (Array.isArray(answer)) {
    for (const [index, item] of answer.entries()) {
      if (index > 0 && typeof item === 'object') print('');
      printFacts(item, print, indent);
    }
    return;
  }
  if (typeof answer !== 'object' || answer === null) {
    print(`${indent}${String(answer)}`);
    return;
  }
  const facts = Object.entries(answer);
  const width = Math.max(0, ...facts.map(([name]) => name.length)) + 2;
  for (const [name, value] of facts) {
    if (typeof value === 'object' && value !== null) {
      const isEmpty = Object.keys(value).length === 0;
      print(`${indent}${name.padEnd(width)}${isEmpty ? 'none' : ''}`.trimEnd());
      printFacts(value, print, `${indent}  `);
    } else print(`${indent}${name.padEnd(width)}${String(value ?? 'none')}`);
  }
}
