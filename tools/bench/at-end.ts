const works: (() => Promise<unknown>)[] = [];

/** Runs this when all benches are done or the run is stopped. What was started last ends first. */
export function atEnd(work: () => Promise<unknown>): void {
  works.unshift(work);
}

export async function end(): Promise<void> {
  for (const work of works.splice(0)) await work();
}
