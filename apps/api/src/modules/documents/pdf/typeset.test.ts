import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';
import { fontFeatures, type Line, typeset } from './typeset.ts';

const style = { size: 10, weight: 'regular' } as const;
const wide = 10_000;

const shown = (lines: Line[]) => lines.map((line) => line.runs.map((run) => run.text).join('|'));

/** Counts the boxes that a font draws for missing glyphs. */
function boxes(text: string): number {
  return (['regular', 'semibold'] as const)
    .flatMap((weight) => typeset(text, { size: 10, weight }, 120))
    .flatMap((line) => line.runs)
    .flatMap((run) => run.font.layout(run.text, fontFeatures(run.font, {})).glyphs)
    .filter((glyph) => glyph.id === 0).length;
}

test.each([
  ['accents', 'Ångström, Øyvind, Đorđe, İbrahim, Łódź, Ñandú, Ştefan, Zoë'],
  ['accents written apart', 'Zoe\u0308 Kra\u0301l'],
  ['Vietnamese', 'Nguyễn Thị Hường'],
  ['Greek and Cyrillic', 'Ελένη Παπαδοπούλου, Наталія Їжакевич'],
  ['Arabic', 'محمد عبد الله، گلناز'],
  ['Hebrew with points', 'שָׁלוֹם כֹּהֵן'],
  ['emoji', '🏠✨👍🏽👩‍👩‍👧🇺🇸1️⃣❤️'],
  ['scripts without a font', '王小明, 田中さくら, 김민준, नमस्ते, สมชาย'],
  ['symbols', '½ ™ € № ° × – — … “quoted” ✓ → ₪'],
  ['what no name should have', 'a\u0000b\u0007c\td\u2028e\ud800f\ufffeg'],
])('draws no missing glyphs: %s', (_what, text) => {
  expect(boxes(text)).toBe(0);
});

const chinook = new URL('../../../../../../../shared/data/chinook-invoices.csv', import.meta.url);

test.runIf(existsSync(chinook))('nothing in the sample of foreign invoices is drawn as a box', () => {
  const rows: Record<string, string>[] = parse(readFileSync(chinook), { columns: true });
  const texts = new Set(rows.flatMap((row) => Object.values(row)));
  expect([...texts].filter((text) => boxes(text) > 0)).toEqual([]);
});

test.each([
  ['Hebrew stands right to left, its number left to right', 'רוטשילד 22', ['22| |רוטשילד']],
  ['a bracket in Hebrew opens to the left', 'כהן (דוד)', ['(|דוד|)| |כהן']],
  ['a Hebrew word in an English sentence keeps its place', 'at כהן now', ['at |כהן| now']],
])('%s', (_what, text, expected) => {
  expect(shown(typeset(text, style, wide))).toEqual(expected);
});

test('joins Arabic letters', () => {
  const [run] = typeset('محمد', style, wide)[0]?.runs ?? [];
  const joined = run?.font.layout('محمد').glyphs.map((glyph) => glyph.id);
  const single = [...'دمحم'].map((letter) => run?.font.glyphForCodePoint(letter.codePointAt(0) ?? 0).id);
  expect(joined).toHaveLength(4);
  expect(joined).not.toEqual(single);
});

test('an isolated name does not reorder what follows it', () => {
  expect(shown(typeset(`${isolated('תל אביב')}, 70174`, style, wide))).toEqual(['אביב| |תל|, 70174']);
});

test('a name cannot reverse the line it stands in', () => {
  expect(shown(typeset('Smith\u202e 00.1$', style, wide))).toEqual(['Smith 00.1$']);
});

test('spells a character without a font in Latin letters', () => {
  expect(shown(typeset('王', style, wide))).toEqual(['Wang']);
});

test('breaks lines at spaces, and inside a word only if it is wider than the line', () => {
  const lines = typeset('Window cleaning for Donaudampfschifffahrtsgesellschaft', style, 80);
  expect(lines.map((line) => line.text)).toEqual([
    'Window',
    'cleaning for',
    'Donaudampfsch',
    'ifffahrtsgesellsc',
    'haft',
  ]);
});

test.each(['Ängström '.repeat(40), 'x'.repeat(500), 'חלונות '.repeat(60), '🏠'.repeat(80), '王'.repeat(90)])(
  'keeps lines within their column, and loses no word',
  (text) => {
    const lines = typeset(text, style, 100);
    expect(Math.max(...lines.map((line) => line.width))).toBeLessThanOrEqual(100);
    const letters = typeset(text, style, wide)[0]?.text.replaceAll(' ', '');
    expect(
      lines
        .map((line) => line.text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(letters);
  },
);

test('sets an empty text into no lines', () => {
  expect(typeset('', style, wide)).toEqual([]);
});

test('gives digits of sums one width', () => {
  const width = (text: string) => typeset(text, { ...style, isTabular: true }, wide)[0]?.width;
  expect(width('111.11')).toBeCloseTo(width('888.88') ?? 0, 6);
});
