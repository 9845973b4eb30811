import { Dollars } from '../fields/dollars.tsx';
import type { ListColumn } from '../list/list-column.ts';

type Parts = { invoice: number; tax: number; services: number; servicesTax: number; tip: number };

/** The columns of what was paid, or goes back, part by part. */
export const partColumns = <Row,>(of: (row: Row) => Parts): ListColumn<Row>[] => [
  amountColumn('Invoice', (row) => of(row).invoice),
  amountColumn('Tax', (row) => of(row).tax),
  amountColumn('Services', (row) => of(row).services),
  amountColumn('Services tax', (row) => of(row).servicesTax),
  amountColumn('Tip', (row) => of(row).tip),
];

export function amountColumn<Row>(head: string, of: (row: Row) => number): ListColumn<Row> {
  return { head, isAmount: true, cell: (row) => <Dollars amount={of(row)} /> };
}
