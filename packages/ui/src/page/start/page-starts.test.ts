import { expect, test } from 'vitest';
import { mayStart } from './page-starts.ts';

/** A history entry, which a reload keeps. */
function entryWith(state: unknown) {
  const entry = {
    state,
    replaceState(next: unknown) {
      entry.state = next;
    },
  };
  return entry;
}

test.each([null, { key: 'k1', idx: 2, usr: { mailLink: 'mark' } }])(
  'a page with the state %j that has started in vain three times stays as it came once, and may then try again',
  (state) => {
    const entry = entryWith(state);
    const starts = Array.from({ length: 8 }, () => mayStart(entry));
    expect(starts).toEqual([true, true, true, false, true, true, true, false]);
    expect(entry.state).toEqual({ ...state, startsInVain: 0 });
  },
);
