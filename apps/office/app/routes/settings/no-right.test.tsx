import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import FranchisePage from './franchise.tsx';
import MerchantAccountPage from './merchant-account.tsx';

test.each([
  ['franchise', FranchisePage],
  ['merchant account', MerchantAccountPage],
])('whoever has no right to the settings of a %s is asked for no franchise', (_name, Page) => {
  const unchosen = { loaderData: null } as Parameters<typeof Page>[0];
  expect(wordsOf(<Page {...unchosen} />)).toContain('You cannot see this');
});
