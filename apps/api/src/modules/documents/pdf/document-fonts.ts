import { createRequire } from 'node:module';
import { type Font, type GlyphRun, openSync } from 'fontkit';

export type Weight = 'regular' | 'semibold';

const require = createRequire(import.meta.url);

/** TrueType files from npm packages, each under the SIL Open Font License 1.1. Earlier ones take precedence. */
const FILES: Record<Weight, readonly string[]> = {
  regular: [
    '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
    '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
    '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
  ],
  semibold: [
    '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
    '@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf',
    '@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf',
    '@expo-google-fonts/noto-emoji/600SemiBold/NotoEmoji_600SemiBold.ttf',
  ],
};

const opened = new Map<string, Font>();

function open(file: string): Font {
  let font = opened.get(file);
  if (!font) {
    const found = openSync(require.resolve(file));
    if (!('layout' in found)) throw new Error(`${file} holds several fonts`);
    font = rememberRuns(nameLetters(found));
    opened.set(file, font);
  }
  return font;
}

/**
 * Gives every glyph its characters. fontkit caches a glyph as first requested: drawn first as part of Å, an A has no
 * characters of its own, and later documents would draw it but read it out wrongly.
 */
function nameLetters(font: Font): Font {
  const find = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const glyph = find(id, characters);
    if (glyph.codePoints.length === 0) Object.assign(glyph, { codePoints: characters });
    return glyph;
  };
  return font;
}

const MAX_RUNS = 2_000;

/** Caches shaped runs: shaping is most of the work, and most text is the same on every document. */
function rememberRuns(font: Font): Font {
  const shape = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (text, features) => {
    const key = `${Object.values(features ?? {})} ${text}`;
    let run = known.get(key);
    if (!run) {
      run = shape(text, features);
      if (known.size === MAX_RUNS) known.clear();
      known.set(key, run);
    }
    // Copy, because pdfkit scales the positions in place.
    return Object.assign(Object.create(run), {
      positions: run.positions.map((position) => ({ ...position })),
    });
  };
  return font;
}

/** The main text font. */
export function textFont(weight: Weight): Font {
  const [file] = FILES[weight];
  if (!file) throw new Error(`no font is ${weight}`);
  return open(file);
}

/** Joiners and variation selectors only influence shaping; a font needs no glyph for them. */
const SHAPE_HINT = /\u200c|\u200d|\ufe0e|\ufe0f/u;
const LOOKS_LIKE_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

/** The first font with glyphs for a whole cluster. Emoji fonts come last, except for emoji. */
export function fontFor(cluster: string, weight: Weight): Font | undefined {
  const wanted = [...cluster]
    .filter((character) => !SHAPE_HINT.test(character))
    .map((character) => character.codePointAt(0) ?? 0);
  const files = LOOKS_LIKE_EMOJI.test(cluster) ? FILES[weight].toReversed() : FILES[weight];
  for (const file of files) {
    const font = open(file);
    if (wanted.every((codePoint) => font.hasGlyphForCodePoint(codePoint))) return font;
  }
  return undefined;
}
