import type { Answer } from '@brightpane/ui/forms/ask-server';
import { callOffice, type OfficeCall } from '../../lib/api-client.ts';
import type { ListFilter } from './filters/list-filter.ts';
import type { ListAnswer } from './list-answer.ts';

/** A list that is on its way, and the address it was asked for by. */
export type ListLoad<Row, Page extends ListAnswer<Row> = ListAnswer<Row>> = {
  /** The part of the address that filters and places the list: a word for "the same rows". */
  search: string;
  answer: Promise<Answer<Page>>;
};

/**
 * For a route's `clientLoader`. Starts the call and does not wait for it: the screen is there at once and shows the
 * skeleton, or the old rows. Only these filters, `franchiseId` and `cursor` go from the address into the call.
 */
export function startList<Row, Page extends ListAnswer<Row> = ListAnswer<Row>>(
  call: OfficeCall,
  request: Request,
  filters: ListFilter[],
  params: Record<string, string> = {},
): ListLoad<Row, Page> {
  const query = listQuery(request.url, [...filters.map(({ name }) => name), 'cursor']);
  return { search: new URLSearchParams(query).toString(), answer: callOffice<Page>(call, { params, query }) };
}

/** What an address says of a list, in the order of the filters; empty values are left out. */
export function listQuery(url: string, names: string[]): Record<string, string> {
  const { searchParams } = new URL(url, 'https://office.invalid');
  return Object.fromEntries(
    ['franchiseId', ...names].flatMap((name) => {
      const value = searchParams.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}
