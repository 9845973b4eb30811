/**
 * Limits concurrency on this instance. `take` returns a function that gives the place back, or null if all are taken.
 */
export type Places = { take: () => (() => void) | null };

export function createPlaces(count: number): Places {
  let taken = 0;
  return {
    take() {
      if (taken >= count) return null;
      taken++;
      let isHeld = true;
      return () => {
        if (isHeld) taken--;
        isHeld = false;
      };
    },
  };
}
