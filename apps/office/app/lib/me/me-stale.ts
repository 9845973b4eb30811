/** Who is signed in is asked for once; whatever changes it says so here, and the next load asks again. */
let isStale = false;

export function changedMe(): void {
  isStale = true;
}

/** Reading it changes nothing: the router may ask more than once before it loads. */
export const isMeStale = (): boolean => isStale;

export function meIsLoading(): void {
  isStale = false;
}
