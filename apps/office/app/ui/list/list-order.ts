/** What a list's pages follow each other by. */
export type ListOrder = 'newest-first' | 'oldest-first' | 'due-first' | 'by-name';

/** The words of a list's links, and of how far a search came. */
export type OrderWords = {
  before: string;
  after: string;
  searched: (day: string) => string;
  further: string;
};

export const ORDER_WORDS: Record<ListOrder, OrderWords> = {
  'newest-first': {
    before: 'Newer',
    after: 'Older',
    searched: (day) => `Searched back to ${day}.`,
    further: 'Search further back',
  },
  'oldest-first': {
    before: 'Older',
    after: 'Newer',
    searched: (day) => `Searched up to ${day}.`,
    further: 'Search further',
  },
  'due-first': {
    before: 'Due earlier',
    after: 'Due later',
    searched: (day) => `Searched up to those due ${day}.`,
    further: 'Search further',
  },
  'by-name': {
    before: 'Previous',
    after: 'Next',
    searched: (day) => `Searched up to ${day}.`,
    further: 'Search further',
  },
};
