import type { CheckedImport } from '@brightpane/contract/office/imports';
import type { ReactNode } from 'react';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { counted } from './import-words.ts';

type Faulty = Pick<CheckedImport, 'faultCount' | 'faults'>;

const COLUMNS: ListColumn<Faulty['faults'][number]>[] = [
  { head: 'Line', isName: true, cell: ({ line }) => `Line ${line}` },
  { head: 'Column', cell: ({ column }) => column ?? '–' },
  { head: 'Value', isWide: true, cell: ({ value }) => value },
  { head: 'Rule', isWide: true, cell: ({ rule }) => rule },
];

/** A file's errors, line by line; `children` are further buttons. */
export function ImportFaults({ faultCount, faults, children }: Faulty & { children?: ReactNode }) {
  const named = new Set(faults.map(({ line }) => line)).size;
  return (
    <>
      <p className="notice notice-danger" role="alert">
        Nothing can be imported: {counted(faultCount, 'line is', 'lines are')} wrong.
      </p>
      {named === 0 ? (
        <p>Wrong lines are shown for 90 days.</p>
      ) : (
        <>
          <ListRows
            caption="Faults"
            columns={COLUMNS}
            rows={faults}
            rowKey={({ line, column, rule }) => `${line} ${column} ${rule}`}
            isFramed
          />
          {faultCount > named && (
            <p>{counted(faultCount - named, 'more line is', 'more lines are')} wrong.</p>
          )}
        </>
      )}
      <div className="button-row">
        {named > 0 && (
          <a className="btn btn-outline" href={faultsFile(faults)} download="faults.csv">
            Download the faults
          </a>
        )}
        {children}
      </div>
    </>
  );
}

/** Built in the browser from what is on the screen, without a call. */
function faultsFile(faults: Faulty['faults']): string {
  const lines = faults.map(({ line, column, value, rule }) =>
    [String(line), column ?? '', value, rule].map(cell).join(','),
  );
  const text = `\ufeff${['line,column,value,rule', ...lines].join('\r\n')}\r\n`;
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

/** Escapes what a spreadsheet would run as a formula. */
function cell(text: string): string {
  const plain = /^\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
