import type { CustomerAccount } from '@brightpane/contract/office/customers';

export const ACCOUNT_WORDS: Record<CustomerAccount, string> = {
  none: 'No account',
  invited: 'Invited',
  active: 'Has account',
};
