import type { Refund } from '@brightpane/contract/office/refunds';
import { formatInstant } from '../../lib/times.ts';

/** A refund's state, and whether the provider has undone it since. */
export function stateWords({ words, undoneAt, timeZone }: Refund): string {
  return undoneAt === null
    ? words
    : `Undone ${formatInstant(undoneAt, timeZone)}: the provider took it back.`;
}

export const workOrdersOf = ({ lines }: Refund): string =>
  [...new Set(lines.map(({ workOrderNumber }) => workOrderNumber))].join(', ');
