import type { WorkOrderNumbers } from '../../invoices/payable-invoices.queries.ts';

const MORE = '...';
/** Ends a description that names every work order, so that one that was cut on its way never reads as whole. */
const END = ';';

/** The provider's description of the hold that checks a card. */
export const CARD_CHECK = 'Card check';

/**
 * Franchises and work orders as the provider stores them: `11/1001,1002 12/7;`. A restored database finds its payments
 * again by these. Leaves out whole work orders that don't fit into `longest` characters, and marks that it did.
 */
export function describeWorkOrders(lines: readonly WorkOrderNumbers[], longest: number): string {
  const parts: string[] = [];
  let length = 0;
  let franchise: number | undefined;
  for (const { franchiseId, workOrderNumber } of lines.toSorted((a, b) => a.franchiseId - b.franchiseId)) {
    const part =
      franchiseId === franchise
        ? `,${workOrderNumber}`
        : `${parts.length > 0 ? ' ' : ''}${franchiseId}/${workOrderNumber}`;
    if (length + part.length + MORE.length + 1 > longest) return `${parts.join('')} ${MORE}`;
    parts.push(part);
    length += part.length;
    franchise = franchiseId;
  }
  return parts.join('') + END;
}

/** Parses such a description; `isWhole` says whether it names every work order. One without its end may have lost some. */
export function readWorkOrders(description: string): { workOrders: WorkOrderNumbers[]; isWhole: boolean } {
  const hasEnd = description.endsWith(END);
  const named = hasEnd ? description.slice(0, -END.length) : description;
  const words = named.split(' ').map((word) => /^(\d{1,9})\/(\d{1,15}(?:,\d{1,15})*)$/.exec(word));
  const workOrders = words.flatMap((match) =>
    (match?.[2]?.split(',') ?? []).map((number) => ({
      franchiseId: Number(match?.[1]),
      workOrderNumber: Number(number),
    })),
  );
  return { workOrders, isWhole: hasEnd && words.every((match) => match !== null) };
}
