import { toDollars } from '@brightpane/contract/wire';
import { type Cents, sumCents } from '@brightpane/money/cents';
import { Fragment } from 'react';
import { useWorkOrderNames } from '../../lib/me/work-order-names.ts';
import { Dollars, usd } from '../fields/dollars.tsx';
import type { Effect, PreviewedLine, Rests } from './what-goes-back.ts';

const toUsd = (amount: Cents) => usd(toDollars(amount));

/** Each part of the refund, of `all` that could go back, and what becomes of the invoices. */
export function RefundPreview({
  all,
  lines,
  effect,
}: {
  all: Rests[];
  lines: PreviewedLine[];
  effect: Effect | null;
}) {
  const nameOf = useWorkOrderNames(all);
  return (
    <div className="refund-preview">
      <table>
        <caption className="visually-hidden">What goes back</caption>
        <tbody>
          {lines.map((line) => (
            <Fragment key={`${line.franchiseId}/${line.workOrderNumber}`}>
              {lines.length > 1 && (
                <tr>
                  <th scope="rowgroup" colSpan={2}>
                    Work order {nameOf(line)}
                  </th>
                </tr>
              )}
              {partsOf(line).map(([name, amount]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <Dollars amount={toDollars(amount)} />
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      <p role="status">{sentenceOf(lines, effect, nameOf)}</p>
    </div>
  );
}

function partsOf({ parts, tipCents }: PreviewedLine): [name: string, amount: Cents][] {
  const all: [string, Cents][] = [
    ['Invoice', parts.invoiceCents],
    ['Tax', parts.taxCents],
    ['Services', parts.servicesCents],
    ['Services tax', parts.servicesTaxCents],
    ['Tip', tipCents],
  ];
  return all.filter(([, amount]) => amount !== 0);
}

export const totalCents = (lines: PreviewedLine[]) => sumCents(lines.map((line) => line.totalCents));

/** Above this, work orders are summed instead of listed. */
const MOST_NAMED = 4;

function sentenceOf(
  lines: PreviewedLine[],
  effect: Effect | null,
  nameOf: (line: PreviewedLine) => string,
): string {
  const back = `The card gets ${toUsd(totalCents(lines))} back.`;
  const invoiced = lines.filter(({ needsEffect }) => needsEffect);
  if (invoiced.length === 0) return `${back} Nothing falls due again.`;
  // Before a choice is made, only an overpayment is certain to make nothing due.
  const isCredited = effect === 'credited';
  if (effect === null && lines.some(({ dueCents }) => dueCents > 0)) return back;
  const due = isCredited ? [] : invoiced.filter(({ dueCents }) => dueCents > 0);
  if (due.length === 0) return `${back} Nothing falls due again.`;
  if (due.length > MOST_NAMED) {
    const sum = sumCents(due.map(({ dueCents }) => dueCents));
    return `${back} ${toUsd(sum)} is due again on ${due.length} work orders.`;
  }
  const named = due.map((line) => `${toUsd(line.dueCents)} is due again on work order ${nameOf(line)}.`);
  return [back, ...named].join(' ');
}
