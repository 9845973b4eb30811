import { useMediaQuery } from '@brightpane/ui/page/use-media-query';
import { type ReactNode, useId, useRef } from 'react';
import { OfficeLink } from '../facts/office-link.tsx';
import type { ListColumn } from './list-column.ts';
import { useReturnToRow, useRowKeys } from './use-row-keys.ts';

export type ListRowsProps<Row> = {
  caption: string;
  columns: ListColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The row's link, below `/office`; without it rows aren't links. */
  rowLink?: ((row: Row) => string) | undefined;
  /** Expands below a row, instead of a page of its own. */
  rowDetails?: ((row: Row) => ReactNode) | undefined;
  isBusy?: boolean;
  /** Scrolls them in a frame of limited height, because they may be a thousand. */
  isFramed?: boolean;
};

/**
 * The rows as a table; on a phone as cards, each a group named after its row. Both use the same elements, so that
 * what is open or typed in a row stays when the phone is rotated.
 */
export function ListRows<Row>(props: ListRowsProps<Row>) {
  const { caption, columns, rows, rowKey, isBusy, isFramed = false } = props;
  const areCards = useMediaQuery('(max-width: 767.98px)');
  const onKeyDown = useRowKeys();
  const box = useRef<HTMLDivElement>(null);
  const noteOpened = useReturnToRow(box);
  // Lets keyboards scroll to what is hidden: through the rows' links or, without any, by focusing the frame.
  const frame =
    (areCards && !isFramed) || props.rowLink ? {} : { tabIndex: 0, role: 'group', 'aria-label': caption };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links inside.
    <div
      ref={box}
      className={isFramed ? 'list-rows list-framed' : 'list-rows'}
      onKeyDown={onKeyDown}
      onClickCapture={noteOpened}
      aria-busy={isBusy}
      {...frame}
    >
      <table className={areCards ? 'list-cards' : 'list-table'} role={plainIf(areCards)}>
        {!areCards && <caption className="visually-hidden">{caption}</caption>}
        {!areCards && <Heads columns={columns} />}
        {rows.map((row) => (
          <ListRow key={rowKey(row)} {...props} row={row} isCard={areCards} />
        ))}
      </table>
    </div>
  );
}

/** Cards drop the table's roles. */
const plainIf = (isCard: boolean) => (isCard ? 'none' : undefined);

function Heads<Row>({ columns }: { columns: ListColumn<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.head} scope="col" className={cellClass(column)}>
            {column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function ListRow<Row>({
  columns,
  row,
  rowLink,
  rowDetails,
  isCard,
}: ListRowsProps<Row> & { row: Row; isCard: boolean }) {
  const id = useId();
  // On a card the name comes first, wherever its column is.
  const cells = isCard ? [...columns].sort((one, other) => rank(one) - rank(other)) : columns;
  return (
    <tbody {...(isCard && { role: 'group', 'aria-labelledby': id })}>
      <tr className={rowLink ? 'list-row-linked' : undefined} role={plainIf(isCard)}>
        {cells.map((column) => {
          const content = column.cell(row);
          if (column.isName) {
            return (
              <th key={column.head} className={cellClass(column)} {...(isCard ? PLAIN : { scope: 'row' })}>
                <div id={id}>
                  <RowName link={rowLink?.(row)}>{content}</RowName>
                </div>
              </th>
            );
          }
          if (isCard && (content === null || content === '')) return null;
          return (
            <td key={column.head} className={cellClass(column)} role={plainIf(isCard)}>
              {isCard && <span className="list-card-head">{column.head}</span>}
              <div>{content}</div>
            </td>
          );
        })}
      </tr>
      {rowDetails && (
        <tr className="list-details" role={plainIf(isCard)}>
          <td colSpan={columns.length} role={plainIf(isCard)}>
            {rowDetails(row)}
          </td>
        </tr>
      )}
    </tbody>
  );
}

const PLAIN = { role: 'none' };

const rank = ({ isName }: { isName?: true }) => (isName ? 0 : 1);

function RowName({ link, children }: { link: string | undefined; children: ReactNode }) {
  if (link === undefined) return children;
  return (
    <OfficeLink className="list-row-link" to={link} data-row-link="">
      {children}
    </OfficeLink>
  );
}

function cellClass({ isAmount, isWide, isFirstToWrap }: Omit<ListColumn<never>, 'cell'>): string | undefined {
  const classes = [isAmount && 'list-amount', isWide && 'list-wide', isFirstToWrap && 'list-first-to-wrap'];
  return classes.filter(Boolean).join(' ') || undefined;
}
