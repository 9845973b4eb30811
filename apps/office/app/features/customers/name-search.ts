import {
  MOST_SEARCH_CHARACTERS,
  MOST_SEARCH_WORDS,
  searchWords,
} from '@brightpane/contract/office/words/search-words';

const QUOTES = 2;

/**
 * A search for a name; null if it has no word that can be searched. Quoted, so that none is read as a day, an amount or a
 * card. What would be too much is left out: a cut word still finds the name.
 */
export function nameSearch(name: string): string | null {
  const words = searchWords(name).slice(0, MOST_SEARCH_WORDS).join(' ');
  return words === '' ? null : `"${[...words].slice(0, MOST_SEARCH_CHARACTERS - QUOTES).join('')}"`;
}
