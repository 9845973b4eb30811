import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { readTerms, type TermsPart } from './read-terms.ts';

/** `/terms`: what the box beside Pay accepts. */
export function TermsScreen({ text, version }: { text: string; version: string }) {
  return (
    <article className="terms panel">
      <PageTitle title="Terms" />
      {readTerms(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes while it is shown.
        <Part key={index} part={part} />
      ))}
      <p className="quiet">Version {version}</p>
    </article>
  );
}

function Part({ part }: { part: TermsPart }) {
  switch (part.kind) {
    case 'heading':
      return <h2>{part.text}</h2>;
    case 'paragraph':
      return <p>{part.text}</p>;
    case 'list':
      return (
        <ul>
          {part.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      );
  }
}
