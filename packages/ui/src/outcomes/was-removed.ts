import { mayBeDone, type Refusal } from '@brightpane/contract/wait-advice';

const perhapsRemoved = new Set<string>();

/** Whether a refused removal has worked after all: nothing is found, and an earlier one had no certain answer. */
export function wasRemoved(id: string, refusal: Refusal): boolean {
  if (mayBeDone(refusal)) perhapsRemoved.add(id);
  return refusal.status === 404 && perhapsRemoved.has(id);
}
