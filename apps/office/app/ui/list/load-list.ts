import type { Answer } from '@brightpane/ui/forms/ask-server';
import { callOffice, type OfficeCall } from '../../lib/api-client.ts';
import type { ListFilter } from './filters/list-filter.ts';
import type { ListAnswer } from './list-answer.ts';

/** A list being loaded, and the query that identifies it. */
export type ListLoad<Row, Page extends ListAnswer<Row> = ListAnswer<Row>> = {
  /** The filters and the place in the list; equal if it is the same list. */
  search: string;
  answer: Promise<Answer<Page>>;
};

/**
 * For a route's `clientLoader`. Starts the call without waiting, so that the screen shows at once, with a skeleton or
 * the old rows. The call gets only these filters, `franchiseId` and `cursor` from the URL.
 */
export function startList<Row, Page extends ListAnswer<Row> = ListAnswer<Row>>(
  call: OfficeCall,
  request: Request,
  filters: ListFilter[],
): ListLoad<Row, Page> {
  const query = listQuery(request.url, [...filters.map(({ name }) => name), 'cursor']);
  return { search: new URLSearchParams(query).toString(), answer: callOffice<Page>(call, { query }) };
}

/** The list's parameters in a URL, in the order of the filters; empty values are left out. */
export function listQuery(url: string, names: string[]): Record<string, string> {
  const { searchParams } = new URL(url, 'https://office.invalid');
  return Object.fromEntries(
    ['franchiseId', ...names].flatMap((name) => {
      const value = searchParams.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}
