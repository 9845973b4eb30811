import type { ReadAs } from '@brightpane/contract/office/lists';

/** One page, as every list of the office answers. */
export type ListAnswer<Row> = {
  items: Row[];
  /** An opaque cursor of the next, older page; `null` on the last. */
  next: string | null;
  /** The day down to which the server searched, if the page would have needed too many rows. Null: no day tells. */
  searchedTo?: string | null | undefined;
  /** How the server read the search, token by token. */
  readAs?: ReadAs[] | undefined;
  /** More customers match than are shown. */
  hasManyCustomers?: boolean | undefined;
};
