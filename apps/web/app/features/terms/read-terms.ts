/** One block of the terms. */
export type TermsPart =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; points: string[] };

/** Parses a deployment's terms: blank lines separate paragraphs, `## ` starts a heading, `- ` a list item. */
export function readTerms(text: string): TermsPart[] {
  const parts: TermsPart[] = [];
  let isNew = true;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const last = isNew ? undefined : parts.at(-1);
    isNew = line === '' || /^#+ /.test(line);
    if (line === '') continue;
    if (isNew) parts.push({ kind: 'heading', text: line.replace(/^#+ /, '') });
    else if (line.startsWith('- ')) {
      const point = line.slice(2);
      if (last?.kind === 'list') last.points.push(point);
      else parts.push({ kind: 'list', points: [point] });
    } else if (last?.kind === 'list') last.points.push(`${last.points.pop()} ${line}`);
    else if (last?.kind === 'paragraph') last.text += ` ${line}`;
    else parts.push({ kind: 'paragraph', text: line });
  }
  return parts;
}
