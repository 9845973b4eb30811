import type { Right } from '@brightpane/contract/office-rights';

/** What each right lets people and programs do. */
const WORDS: Record<Right, string> = {
  view: 'view every list and page',
  invite: 'invite customers, send mails, write notes',
  refund: 'refund up to the limit',
  approve: 'approve refunds',
  review: 'decide in the review',
  import: 'import invoices',
  settings: 'change franchise settings',
  keys: 'change merchant keys and API keys',
  staff: 'change staff',
  audit: 'read the audit',
  payouts: 'see payouts',
  export: 'export lists',
};

/** `['view', 'import']` → `View every list and page; import invoices`. */
export function rightsWords(rights: readonly string[]): string {
  const words = rights.map((right) => (right in WORDS ? WORDS[right as Right] : right)).join('; ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
