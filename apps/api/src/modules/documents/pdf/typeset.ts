import anyAscii from 'any-ascii';
import bidiFactory, { type Bidi } from 'bidi-js';
import type { Font } from 'fontkit';
import { fontFor, textFont, type Weight } from './document-fonts.ts';
import { INVISIBLE } from './isolated.ts';

/** Part of a line in one font, in drawing order: left to right on the page. */
export type TextRun = { font: Font; text: string; width: number };

export type Line = {
  runs: TextRun[];
  width: number;
  /** In reading order, for search and screen readers. */
  text: string;
};

export type TextStyle = {
  size: number;
  weight: Weight;
  /** Digits of equal width, so that sums line up in columns. */
  isTabular?: boolean;
};

// The types describe an ES module, but the import is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Font features for shaping. Inter's contextual alternates only affect arrows and mathematics, but take nine tenths of
 * the time. Set on every call: without features pdfkit shapes word by word and misplaces Arabic.
 */
export function fontFeatures(font: Font, { isTabular = false }: Pick<TextStyle, 'isTabular'>) {
  return { tnum: isTabular, ...(font.familyName.startsWith('Inter') && { calt: false }) };
}

/**
 * Breaks a text into lines no wider than `width`. Draws each character in a font that has it, joins and orders
 * right-to-left scripts, and breaks at spaces, or inside a word only if it is wider than a line.
 */
export function typeset(text: string, style: TextStyle, width: number): Line[] {
  const clusters = toClusters(text, style.weight);
  const { levels } = bidi.getEmbeddingLevels(clusters.map((cluster) => cluster.text).join(''));
  let at = 0;
  const placed = clusters.map((cluster): Placed => {
    const level = levels[at] ?? 0;
    at += cluster.text.length;
    return { ...cluster, level, width: widthOf(cluster, style) };
  });
  const visible = placed.filter((cluster) => !ISOLATE.test(cluster.text));
  return breakLines(visible, width).map((line) => {
    const runs = toRuns(line, style);
    const lineWidth = runs.reduce((sum, run) => sum + run.width, 0);
    return { runs, width: lineWidth, text: line.map((cluster) => cluster.text).join('') };
  });
}

type Cluster = { text: string; font: Font };
type Placed = Cluster & { level: number; width: number };

const ISOLATE = /[\u2068\u2069]/u;
const BLANK = /\s|\p{Cc}/gu;

/** Spells characters without a font in Latin letters: 王 as Wang, which is readable where a box isn't. */
function toClusters(text: string, weight: Weight): Cluster[] {
  const clean = text.normalize('NFC').replace(INVISIBLE, '').replace(BLANK, ' ');
  return [...graphemes.segment(clean)].flatMap(({ segment }) => {
    if (ISOLATE.test(segment)) return [{ text: segment, font: textFont(weight) }];
    const font = fontFor(segment, weight);
    if (font) return [{ text: segment, font }];
    return [...anyAscii(segment)].map((letter) => ({ text: letter, font: textFont(weight) }));
  });
}

function widthOf({ font, text }: Cluster, style: TextStyle): number {
  return (font.layout(text, fontFeatures(font, style)).advanceWidth * style.size) / font.unitsPerEm;
}

const isSpace = (cluster: Placed) => cluster.text === ' ';

/** Fills lines word by word. Measures single characters, as ligatures and kerning only make a line shorter. */
function breakLines(clusters: Placed[], width: number): Placed[][] {
  const lines: Placed[][] = [];
  let line: Placed[] = [];
  let used = 0;
  const flush = () => {
    while (line.at(-1)?.text === ' ') line.pop();
    if (line.length > 0) lines.push(line);
    line = [];
    used = 0;
  };
  const add = (cluster: Placed) => {
    line.push(cluster);
    used += cluster.width;
  };
  for (const word of toWords(clusters)) {
    const wordWidth = word.reduce((sum, cluster) => sum + (isSpace(cluster) ? 0 : cluster.width), 0);
    if (line.length > 0 && used + wordWidth > width) flush();
    if (wordWidth <= width) {
      word.forEach(add);
      continue;
    }
    for (const cluster of word) {
      if (line.length > 0 && used + cluster.width > width) flush();
      add(cluster);
    }
  }
  flush();
  return lines;
}

/** Words, each with its trailing spaces. */
function toWords(clusters: Placed[]): Placed[][] {
  const words: Placed[][] = [];
  let isBetween = true;
  for (const cluster of clusters) {
    if (isBetween && !isSpace(cluster)) words.push([]);
    words.at(-1)?.push(cluster);
    isBetween = isSpace(cluster);
  }
  return words;
}

/** Applies rule L2 of the bidirectional algorithm to clusters, then joins neighbors of one font and level. */
function toRuns(line: Placed[], style: TextStyle): TextRun[] {
  const runs: TextRun[] = [];
  for (const part of toParts(line)) {
    const isReversed = part.level % 2 === 1;
    const text = isReversed ? mirror(part.text) : part.text;
    const shaped = part.font.layout(text, fontFeatures(part.font, style));
    if ((shaped.direction === 'rtl') === isReversed) {
      const width = (shaped.advanceWidth * style.size) / part.font.unitsPerEm;
      runs.push({ font: part.font, text, width });
      continue;
    }
    // A font shapes text in its script's direction; digits and punctuation may need the other one.
    const letters = [...graphemes.segment(text)].map(({ segment }) => segment);
    for (const letter of isReversed ? letters.toReversed() : letters) {
      const cluster = { font: part.font, text: letter };
      runs.push({ ...cluster, width: widthOf(cluster, style) });
    }
  }
  return runs;
}

type Part = { font: Font; level: number; text: string };

function toParts(line: Placed[]): Part[] {
  const parts: Part[] = [];
  for (const cluster of line) {
    const last = parts.at(-1);
    if (last && last.font === cluster.font && last.level === cluster.level) last.text += cluster.text;
    else parts.push({ font: cluster.font, level: cluster.level, text: cluster.text });
  }
  const highest = Math.max(0, ...parts.map((part) => part.level));
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < parts.length; start++) {
      let end = start;
      while ((parts[end]?.level ?? 0) >= level) end++;
      if (end > start) parts.splice(start, end - start, ...parts.slice(start, end).reverse());
      start = end;
    }
  }
  return parts;
}

function mirror(text: string): string {
  return [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join('');
}
