/** What a stretch of a page is to who has it read aloud. */
export type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD' | 'Figure';

type Given = { scope?: 'Row' | 'Column'; alt?: string };

/**
 * The order and meaning of what is drawn, beside where it stands: everything is part of a tree that readers follow, or an
 * artifact that they leave out.
 */
export class Structure {
  readonly #pdf: PDFKit.PDFDocument;
  /** The innermost last. */
  readonly #open: PDFKit.PDFStructureElement[];
  #isArtifact = false;

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    const root = pdf.struct('Document');
    pdf.addStructure(root);
    this.#open = [root];
  }

  /** What `draw` draws, read as one thing. */
  leaf<Result>(tag: Tag, draw: () => Result, given: Given = {}): Result {
    if (this.#isArtifact) return draw();
    const content = this.#pdf.markStructureContent(tag);
    const result = draw();
    this.#pdf.endMarkedContent();
    this.#open.at(-1)?.add(this.#pdf.struct(tag, given, [content]));
    return result;
  }

  /** A table, or a row of one, with all that `draw` puts into it. */
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
