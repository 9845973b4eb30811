import type { WorkOrderNumbers } from '../../invoices/payable-invoices.queries.ts';

const MAX_LENGTH = 1000;
const MORE = '...';

/** How the hold of a card that is being saved reads at the provider. */
export const CARD_CHECK = 'Card check';

/**
 * Franchise and work orders as they stand at the provider, `11/1001,1002 12/7`: a database that was restored finds its
 * payments again by these. What does not fit is left out whole, and that is said.
 */
export function describeWorkOrders(lines: readonly WorkOrderNumbers[]): string {
  const parts: string[] = [];
  let length = 0;
  let franchise: number | undefined;
  for (const { franchiseId, workOrderNumber } of lines.toSorted((a, b) => a.franchiseId - b.franchiseId)) {
    const part =
      franchiseId === franchise
        ? `,${workOrderNumber}`
        : `${parts.length > 0 ? ' ' : ''}${franchiseId}/${workOrderNumber}`;
    if (length + part.length + MORE.length + 1 > MAX_LENGTH) return `${parts.join('')} ${MORE}`;
    parts.push(part);
    length += part.length;
    franchise = franchiseId;
  }
  return parts.join('');
}

/** What such a description says, and whether it says all of it. */
export function readWorkOrders(description: string): { workOrders: WorkOrderNumbers[]; isWhole: boolean } {
  const words = description.split(' ').map((word) => /^(\d{1,9})\/(\d{1,15}(?:,\d{1,15})*)$/.exec(word));
  const workOrders = words.flatMap((match) =>
    (match?.[2]?.split(',') ?? []).map((number) => ({
      franchiseId: Number(match?.[1]),
      workOrderNumber: Number(number),
    })),
  );
  return { workOrders, isWhole: words.every((match) => match !== null) };
}
