import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { ListRows } from '../list/list-rows.tsx';
import { useFranchiseColumn } from './franchise-column.ts';

type Row = { workOrderNumber: number; franchiseIds: number[] };

const COLUMNS: ListColumn<Row>[] = [
  { head: 'Work order', isName: true, cell: ({ workOrderNumber }) => String(workOrderNumber) },
  { head: 'Status', cell: () => 'Paid' },
];
const [ONE, TWO] = [
  { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
  { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
];
const ROWS = [
  { workOrderNumber: 1042, franchiseIds: [11] },
  { workOrderNumber: 1042, franchiseIds: [12] },
  { workOrderNumber: 1043, franchiseIds: [12, 11, 12] },
];

function Rows() {
  const columns = useFranchiseColumn(COLUMNS, ({ franchiseIds }) => franchiseIds);
  return (
    <ListRows
      caption="Rows"
      columns={columns}
      rows={ROWS}
      rowKey={({ workOrderNumber, franchiseIds }) => `${workOrderNumber} ${franchiseIds}`}
    />
  );
}

test('rows of several franchises name theirs', () => {
  const words = wordsOf(<Rows />, { franchises: [ONE, TWO] });
  expect(words).toContain('Work order Franchise Status');
  expect(words).toContain('1042 Clearwater Windows Paid 1042 Bright Harbor Paid');
  expect(words).toContain('1043 Bright Harbor; Clearwater Windows Paid');
});

test('a chosen franchise, or the only one, is not repeated in each row', () => {
  expect(wordsOf(<Rows />, { franchises: [ONE, TWO], search: '?franchiseId=12' })).not.toContain('Franchise');
  expect(wordsOf(<Rows />, { franchises: [ONE] })).not.toContain('Franchise');
});
