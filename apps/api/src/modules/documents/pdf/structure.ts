/** The meaning of a part of a page to a screen reader. */
export type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD' | 'Figure';

type Given = { scope?: 'Row' | 'Column'; alt?: string };

/**
 * The reading order and meaning of what is drawn: everything is part of a tree that screen readers follow, or
 * an artifact that they skip.
 */
export class Structure {
  readonly #pdf: PDFKit.PDFDocument;
  /** Innermost last. */
  readonly #open: PDFKit.PDFStructureElement[];
  #isArtifact = false;

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    const root = pdf.struct('Document');
    pdf.addStructure(root);
    this.#open = [root];
  }

  /** Tags what `draw` draws as one element. */
  leaf<Result>(tag: Tag, draw: () => Result, given: Given = {}): Result {
    if (this.#isArtifact) return draw();
    const content = this.#pdf.markStructureContent(tag);
    const result = draw();
    this.#pdf.endMarkedContent();
    this.#open.at(-1)?.add(this.#pdf.struct(tag, given, [content]));
    return result;
  }

  /** A table or a row, with everything that `draw` adds to it. */
  group<Result>(tag: 'Table' | 'TR', draw: () => Result): Result {
    const element = this.#pdf.struct(tag);
    this.#open.at(-1)?.add(element);
    this.#open.push(element);
    const result = draw();
    this.#open.pop();
    element.end();
    return result;
  }

  artifact<Result>(draw: () => Result): Result {
    if (this.#isArtifact) return draw();
    this.#isArtifact = true;
    this.#pdf.markContent('Artifact', { type: 'Layout' });
    const result = draw();
    this.#pdf.endMarkedContent();
    this.#isArtifact = false;
    return result;
  }

  end(): void {
    this.#open[0]?.end();
  }
}
