import type { Problem } from '@brightpane/contract/problem';

/** What the search says when it finds no invoice. */
export function searchMessage({ status, detail }: Pick<Problem, 'status' | 'detail'>): string {
  if (status === 404) return INVOICE_NOT_FOUND;
  if (status === 400 && detail !== '') return detail;
  return 'Something went wrong. Please try again.';
}

/** Said by the search and by a guest's payment alike. */
export const INVOICE_NOT_FOUND = 'Invoice not found. Please check your information and try again.';
