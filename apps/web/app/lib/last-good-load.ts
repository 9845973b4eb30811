import { reportThrown } from '@brightpane/ui/reporting/telemetry';
import { useState } from 'react';

export type Loaded<Data> = { ok: true; data: Data } | { ok: false; thrown: unknown };

/** Leaves to the page whether a failed load takes its place. Follows redirects. */
export async function tryToLoad<Data>(load: () => Promise<Data>): Promise<Loaded<Data>> {
  try {
    return { ok: true, data: await load() };
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    reportThrown(thrown);
    return { ok: false, thrown };
  }
}

/**
 * What was loaded. While an outcome is on the screen, a load that failed doesn't replace the one before: the outcome
 * and what was typed would go with it.
 */
export function useLastGoodLoad<Load extends { ok: boolean } | null>(load: Load, hasOutcome: boolean): Load {
  const [last, setLast] = useState(load);
  const shown = hasOutcome && last?.ok && !load?.ok ? last : load;
  if (shown !== last) setLast(shown);
  return shown;
}
