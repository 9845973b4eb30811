import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFranchiseSearch, useUnseenFranchise, useZone } from '../../lib/franchise-choice.ts';
import { timesWords } from '../../lib/times.ts';
import { NotAllowedPage } from '../frame/not-allowed-page.tsx';
import { OfficeTitle } from '../frame/office-title.tsx';
import { ExportButton, type ListExport } from './export-button.tsx';
import type { ListFilter } from './filters/list-filter.ts';
import { ListFilters } from './filters/list-filters.tsx';
import { ReadAsChips } from './filters/read-as-chips.tsx';
import type { ListAnswer } from './list-answer.ts';
import { ListBody } from './list-body.tsx';
import type { ListColumn } from './list-column.ts';
import type { ListOrder } from './list-order.ts';
import type { ListLoad } from './load-list.ts';
import { useList } from './use-list.ts';

export type ListScreenProps<Row, Page extends ListAnswer<Row>> = {
  /** The screen's `h1`, and the table's caption. */
  title: string;
  /** What `startList` returned in the route's `clientLoader`. */
  load: ListLoad<Row, Page>;
  columns: ListColumn<Row>[];
  rowKey: (row: Row) => string;
  /** The row's link below `/office`: `/payments/…`. Omit it if rows have no page. */
  rowLink?: (row: Row) => string;
  /** Content below each row, such as a `details`. */
  rowDetails?: (row: Row) => ReactNode;
  /** The filters that `startList` was given, in the screen's order. */
  filters?: ListFilter[];
  /** Shown if there are no rows without any filter: a sentence and one action. */
  empty: { text: string; action?: ReactNode };
  /** The newest first, unless said otherwise. */
  order?: ListOrder;
  /** Adds **Export CSV** for people with the right. */
  exported?: ListExport;
  /** False if rows show no times, so that the head names no zone. */
  hasTimes?: boolean;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** Between filters and rows: totals, a line about payments under way. Gets the page once loaded. */
  above?: (page: Page | null) => ReactNode;
  /** Below the rows, such as a bar for the selection. */
  below?: ReactNode;
};

/**
 * A list of the office: heading, filters, rows, links to other pages, and every state in between. The old rows stay
 * while new ones load or if they are refused, with the reason; an invalid filter has its error under it, and a way on
 * where there are no rows yet.
 *
 * A route needs three things: `startList` in its `clientLoader`, columns of which one has `isName`, and this.
 */
export function ListScreen<Row, Page extends ListAnswer<Row> = ListAnswer<Row>>(
  props: ListScreenProps<Row, Page>,
) {
  const { title, load, columns, rowKey, rowLink, rowDetails, filters = [], empty, exported } = props;
  const { order, hasTimes = true, actions, above, below } = props;
  const { page, problem, isLoading } = useList<Row, Page>(load);
  const zone = useZone();
  if (page === null && problem?.status === 403) return <NotAllowedPage />;
  const query = Object.fromEntries(new URLSearchParams(load.search));
  const names = filters.map(({ name }) => name);
  const errors = problem ? fieldErrors(problem) : {};
  const isFilterFault = names.some((name) => errors[name] !== undefined);
  const isFiltered = names.some((name) => query[name] !== undefined);
  const searchField = filters.find(({ kind }) => kind === 'search')?.name;
  return (
    <div className="list-screen">
      <div className="screen-head">
        <OfficeTitle title={title} />
        <div className="screen-actions">
          {actions}
          {exported && <ExportButton {...exported} query={query} />}
        </div>
      </div>
      {filters.length > 0 && <ListFilters filters={filters} errors={errors} />}
      {page?.readAs && searchField && <ReadAsChips readAs={page.readAs} field={searchField} />}
      {page?.hasManyCustomers && <p className="quiet">Many customers match. Type more of the name.</p>}
      <ListBody
        list={{ page, problem: isFilterFault ? null : problem, isLoading }}
        above={above?.(page)}
        status={hasTimes && zone ? timesWords(zone) : ''}
        empty={<Empty isFiltered={isFiltered} empty={empty} />}
        {...(order && { order })}
        caption={title}
        columns={columns}
        rowKey={rowKey}
        rowLink={rowLink}
        rowDetails={rowDetails}
      />
      {page === null && isFilterFault && !isLoading && (
        <EmptyState title="Nothing can be shown with these filters." action={<ClearFilters />} />
      )}
      {below}
    </div>
  );
}

function Empty({
  isFiltered,
  empty,
}: {
  isFiltered: boolean;
  empty: ListScreenProps<never, never>['empty'];
}) {
  // The frame says why, and leads back to the person's own.
  if (useUnseenFranchise() !== null) return <EmptyState title="Nothing matches." />;
  if (!isFiltered) return <EmptyState title={empty.text} action={empty.action} />;
  return <EmptyState title="Nothing matches." action={<ClearFilters />} />;
}

function ClearFilters() {
  const franchiseSearch = useFranchiseSearch();
  return (
    <Link className="btn btn-outline" to={{ search: franchiseSearch }}>
      Clear filters
    </Link>
  );
}
