import type { ReadAs } from '@brightpane/contract/office/lists';

/** One page of a list, as every list of the office answers. */
export type ListAnswer<Row> = {
  items: Row[];
  /** Opaque; leads to the next, older page. `null`: this is the last. */
  next: string | null;
  /** The day down to which rows were looked at, where the page would have needed too many. */
  searchedTo?: string | undefined;
  /** How the search field was understood, token by token. */
  readAs?: ReadAs[] | undefined;
  /** More customers match the words than are shown. */
  hasManyCustomers?: boolean | undefined;
};
