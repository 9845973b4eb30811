import type { CheckedImport } from '@brightpane/contract/office/imports';
import type { ReactNode } from 'react';
import { counted } from './import-words.ts';

type Faulty = Pick<CheckedImport, 'faultCount' | 'faults'>;

/** A file's errors, line by line; `children` are further buttons. */
export function ImportFaults({ faultCount, faults, children }: Faulty & { children?: ReactNode }) {
  const named = new Set(faults.map(({ line }) => line)).size;
  return (
    <>
      <p className="notice notice-danger" role="alert">
        Nothing can be imported: {counted(faultCount, 'line is', 'lines are')} wrong.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
      <section className="list-rows import-faults" aria-label="Faults" tabIndex={0}>
        <table className="list-table">
          <caption className="visually-hidden">Faults</caption>
          <thead>
            <tr>
              <th scope="col" className="list-amount">
                Line
              </th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">Rule</th>
            </tr>
          </thead>
          <tbody>
            {faults.map(({ line, column, value, rule }) => (
              <tr key={`${line} ${column} ${rule}`}>
                <th scope="row" className="list-amount">
                  {line}
                </th>
                <td>{column ?? '–'}</td>
                <td className="list-wide">{value}</td>
                <td className="list-wide">{rule}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {faultCount > named && <p>{counted(faultCount - named, 'more line is', 'more lines are')} wrong.</p>}
      <div className="button-row">
        <a className="btn btn-outline" href={faultsFile(faults)} download="faults.csv">
          Download the faults
        </a>
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
