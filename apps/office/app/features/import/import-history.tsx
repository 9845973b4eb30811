import type { Imports } from '@brightpane/contract/office/imports';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { useZone } from '../../lib/franchise-choice.ts';
import { formatInstant, timesWords } from '../../lib/times.ts';
import { ByText } from '../../ui/facts/by-text.tsx';
import { RowTime } from '../../ui/facts/row-time.tsx';
import { ListBody } from '../../ui/list/list-body.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { useList } from '../../ui/list/use-list.ts';
import { ImportRecord } from './import-record.tsx';
import { count, STATE_WORDS } from './import-words.ts';

export type ImportRow = Imports['items'][number];

const number = (head: string, of: (row: ImportRow) => number): ListColumn<ImportRow> => ({
  head,
  isAmount: true,
  cell: (row) => (row.state === 'applied' ? count(of(row)) : null),
});

const COLUMNS: ListColumn<ImportRow>[] = [
  { head: 'When', isName: true, cell: ({ startedAt }) => <RowTime at={startedAt} franchiseId={null} /> },
  { head: 'Who', isWide: true, cell: ({ by }) => <ByText by={by} /> },
  { head: 'File', isWide: true, cell: ({ fileName }) => fileName },
  number('Created', ({ created }) => created),
  number('Updated', ({ updated }) => updated),
  number('Unchanged', ({ unchanged }) => unchanged),
  number('Overpaid', ({ overpaid }) => overpaid),
  { head: 'State', cell: ({ state }) => STATE_WORDS[state] },
];

/** Every file that people or programs sent. */
export function ImportHistory({ load }: { load: ListLoad<ImportRow, Imports> }) {
  const list = useList<ImportRow, Imports>(load);
  const zone = useZone();
  return (
    <section className="import-history" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ListBody
        list={list}
        status={zone ? timesWords(zone) : ''}
        empty={<EmptyState title="No file was imported yet." />}
        caption="History"
        columns={COLUMNS}
        rowKey={({ importId }) => importId}
        rowDetails={({ importId, fileName, startedAt }) => (
          <ImportRecord
            importId={importId}
            name={fileName ?? `the import of ${formatInstant(startedAt, zone ?? 'UTC')}`}
          />
        )}
      />
    </section>
  );
}
