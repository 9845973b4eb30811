import PDFDocument from 'pdfkit';
import type { Weight } from './document-fonts.ts';
import { Structure, type Tag } from './structure.ts';
import { COLORS, type Color, PAGE } from './theme.ts';
import { fontFeatures, type Line, typeset } from './typeset.ts';

export type TextOptions = {
  x: number;
  /** The top of the first line. */
  y: number;
  width: number;
  size: number;
  weight?: Weight;
  color?: Color;
  align?: 'left' | 'right';
  isTabular?: boolean;
  /** Line height as a multiple of the size. */
  leading?: number;
  link?: string;
};

/** The share of a line's height above the baseline. */
const ASCENT = 0.76;

/** Draws text in any script and a few shapes, and tags each with its meaning for screen readers. */
export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly #done: Promise<Buffer>;
  readonly #structure: Structure;

  constructor(about: { title: string; author: string }) {
    this.pdf = new PDFDocument({
      size: 'LETTER',
      margin: 0,
      bufferPages: true,
      lang: 'en-US',
      tagged: true,
      pdfVersion: '1.7',
      displayTitle: true,
      // No default font: every character uses an embedded font.
      font: null as unknown as string,
      // Keep the document independent of when it was drawn.
      info: { Title: about.title, Author: about.author, CreationDate: new Date(0) },
    });
    const chunks: Buffer[] = [];
    this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.#done = new Promise((resolve, reject) => {
      this.pdf.on('end', () => resolve(Buffer.concat(chunks)));
      this.pdf.on('error', reject);
    });
    this.#structure = new Structure(this.pdf);
  }

  /** Draws a heading and returns the `y` below it, like the methods that follow. */
  heading(level: 1 | 2, text: string, options: TextOptions): number {
    return this.#tagged(`H${level}`, text, options);
  }

  paragraph(text: string, options: TextOptions): number {
    return this.#tagged('P', text, options);
  }

  table<Result>(draw: () => Result): Result {
    return this.#structure.group('Table', draw);
  }

  row<Result>(draw: () => Result): Result {
    return this.#structure.group('TR', draw);
  }

  /** A cell that labels its row. */
  rowHeader(text: string, options: TextOptions): number {
    return this.#tagged('TH', text, options, { scope: 'Row' });
  }

  cell(text: string, options: TextOptions): number {
    return this.#tagged('TD', text, options);
  }

  /** A picture that is read out as `alt`. */
  figure(alt: string, draw: () => void): void {
    this.#structure.leaf('Figure', draw, { alt });
  }

  /** Decoration that screen readers skip. */
  artifact<Result>(draw: () => Result): Result {
    return this.#structure.artifact(draw);
  }

  #tagged(tag: Tag, text: string, options: TextOptions, given = {}): number {
    return this.#structure.leaf(tag, () => this.#text(text, options), given);
  }

  #text(text: string, options: TextOptions): number {
    const { size, weight = 'regular', leading = 1.4, isTabular = false } = options;
    let y = options.y;
    for (const line of typeset(text, { size, weight, isTabular }, options.width)) {
      this.#line(line, y + (size * (leading - 1)) / 2 + size * ASCENT, options);
      y += size * leading;
    }
    return y;
  }

  heightOf(
    text: string,
    { width, size, weight = 'regular', leading = 1.4 }: Omit<TextOptions, 'x' | 'y'>,
  ): number {
    return typeset(text, { size, weight }, width).length * size * leading;
  }

  /** The width of a text on a single line. */
  widthOf(text: string, { size, weight = 'regular' }: { size: number; weight?: Weight }): number {
    return typeset(text, { size, weight }, Number.POSITIVE_INFINITY)[0]?.width ?? 0;
  }

  #line(line: Line, baseline: number, options: TextOptions): void {
    const { size, link } = options;
    let x = options.align === 'right' ? options.x + options.width - line.width : options.x;
    if (link) this.pdf.link(x, baseline - size, line.width, size * 1.3, link);
    this.pdf.fillColor(options.color ?? COLORS.ink);
    // Arabic is drawn as joined shapes and separate dots that match no single letter, so add the text for readers.
    const needsText = /\p{Script=Arabic}/u.test(line.text);
    if (needsText) this.pdf.markContent('Span', { actual: line.text });
    for (const run of line.runs) {
      // pdfkit accepts an opened font, and features with values; its types only know files and names.
      this.pdf.font(run.font as unknown as string, run.font.postscriptName, size);
      const features = fontFeatures(run.font, options) as unknown as PDFKit.Mixins.OpenTypeFeatures[];
      this.pdf.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features });
      x += run.width;
    }
    if (needsText) this.pdf.endMarkedContent();
  }

  box(
    area: { x: number; y: number; width: number; height: number; radius?: number },
    fill: Color,
    stroke?: Color,
  ): void {
    this.artifact(() => {
      this.pdf.roundedRect(area.x, area.y, area.width, area.height, area.radius ?? 0);
      if (stroke) this.pdf.lineWidth(0.75).fillAndStroke(fill, stroke);
      else this.pdf.fill(fill);
    });
  }

  hairline(y: number, { x, width }: { x: number; width: number } = wholeWidth): void {
    this.artifact(() => {
      this.pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.75)
        .strokeColor(COLORS.line)
        .stroke();
    });
  }

  addPage(): void {
    this.pdf.addPage();
  }

  /** Draws on every page once their number is known, as decoration that isn't part of the text. */
  onEachPage(draw: (number: number, of: number) => void): void {
    const { count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.pdf.switchToPage(index);
      this.artifact(() => draw(index + 1, count));
    }
  }

  finish(): Promise<Buffer> {
    this.#structure.end();
    this.pdf.end();
    return this.#done;
  }
}

const wholeWidth = { x: PAGE.margin, width: PAGE.width - 2 * PAGE.margin };
