/** More than any real row; bounds what reading one costs, and what an unclosed quotation mark can swallow. */
export const MAX_ROW_BYTES = 128 * 1024;
