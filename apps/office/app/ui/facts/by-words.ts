import { keyWords } from '@brightpane/contract/office/words/actor-words';

const NOBODY_BY_NAME: Record<string, string> = {
  portal: 'the portal',
  payer: 'the payer',
  office: 'the office',
};

/** Who did something, as screens name it: a person as they are, `key:Nightly import` as a program. */
export const byWords = (by: string): string =>
  by.startsWith('key:') ? keyWords(by.slice('key:'.length)) : (NOBODY_BY_NAME[by] ?? by);
