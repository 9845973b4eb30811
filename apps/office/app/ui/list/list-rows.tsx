import { useMediaQuery } from '@brightpane/ui/use-media-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { ListColumn } from './list-column.ts';
import { useRowKeys } from './use-row-keys.ts';

export type ListRowsProps<Row> = {
  caption: string;
  columns: ListColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Where the row leads, below `/office`; without it rows are no links. */
  rowLink?: ((row: Row) => string) | undefined;
  /** What opens below a row, in place of a page of its own. */
  rowDetails?: ((row: Row) => ReactNode) | undefined;
  isBusy?: boolean;
};

/** The rows as a table; on a phone as a card each, in a group that is named after the row. */
export function ListRows<Row>(props: ListRowsProps<Row>) {
  const isNarrow = useMediaQuery('(max-width: 767.98px)');
  const onKeyDown = useRowKeys();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links inside.
    <div className="list-rows" onKeyDown={onKeyDown} aria-busy={props.isBusy}>
      {isNarrow ? <Cards {...props} /> : <Table {...props} />}
    </div>
  );
}

function Table<Row>({ caption, columns, rows, rowKey, rowLink, rowDetails }: ListRowsProps<Row>) {
  return (
    <table className="list-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={cellClass(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => (
        <tbody key={rowKey(row)}>
          <tr className={rowLink ? 'list-row-linked' : undefined}>
            {columns.map((column) =>
              column.isName ? (
                <th key={column.head} scope="row" className={cellClass(column)}>
                  <RowName link={rowLink?.(row)}>{column.cell(row)}</RowName>
                </th>
              ) : (
                <td key={column.head} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
          {rowDetails && (
            <tr className="list-details">
              <td colSpan={columns.length}>{rowDetails(row)}</td>
            </tr>
          )}
        </tbody>
      ))}
    </table>
  );
}

function Cards<Row>({ caption, columns, rows, rowKey, rowLink, rowDetails }: ListRowsProps<Row>) {
  const id = useId();
  const name = columns.find(({ isName }) => isName);
  return (
    <ul className="list-cards" aria-label={caption}>
      {rows.map((row) => {
        const key = `${id}-${rowKey(row)}`;
        return (
          <li key={key}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls; this holds facts. */}
            <div role="group" aria-labelledby={key} className={rowLink ? 'list-row-linked' : undefined}>
              <p id={key} className="list-card-name">
                <RowName link={rowLink?.(row)}>{name?.cell(row)}</RowName>
              </p>
              <dl>
                {columns
                  .filter((column) => column !== name)
                  .map((column) => ({ column, content: column.cell(row) }))
                  .filter(({ content }) => content !== null && content !== '')
                  .map(({ column, content }) => (
                    <div key={column.head}>
                      <dt>{column.head}</dt>
                      <dd className={column.isAmount && 'figures'}>{content}</dd>
                    </div>
                  ))}
              </dl>
              {rowDetails?.(row)}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function RowName({ link, children }: { link: string | undefined; children: ReactNode }) {
  if (link === undefined) return children;
  return (
    <Link className="list-row-link" to={link} data-row-link="">
      {children}
    </Link>
  );
}

function cellClass({ isAmount, isWide }: Pick<ListColumn<never>, 'isAmount' | 'isWide'>): string | undefined {
  return [isAmount && 'list-amount', isWide && 'list-wide'].filter(Boolean).join(' ') || undefined;
}
