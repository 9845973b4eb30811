/** Who is signed in is asked for once; whatever changes it says so here, and the next load asks again. */
let isStale = false;

export function changedMe(): void {
  isStale = true;
}

export function takeStaleMe(): boolean {
  const was = isStale;
  isStale = false;
  return was;
}
