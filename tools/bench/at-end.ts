const works: (() => Promise<unknown>)[] = [];

/** Leaves something to do when all benches are over, or the run is stopped: what was started last ends first. */
export function atEnd(work: () => Promise<unknown>): void {
  works.unshift(work);
}

export async function end(): Promise<void> {
  for (const work of works.splice(0)) await work();
}
