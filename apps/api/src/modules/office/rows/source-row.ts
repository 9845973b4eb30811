/** A row of an import as sent, before validation. Lines count from 1; a CSV header is line 1. */
export type SourceRow =
  | {
      line: number;
      /** In the order of the contract's `INVOICE_COLUMNS`; undefined if the file has no such column. */
      values: readonly (string | undefined)[];
    }
  | {
      line: number;
      /** Why the row couldn't be read at all. */
      fault: string;
    };
