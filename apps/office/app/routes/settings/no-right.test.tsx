import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import FranchisePage from './franchise.tsx';
import MerchantAccountPage from './merchant-account.tsx';

const unchosen = { loaderData: null };

test.each([
  ['franchise', <FranchisePage key="1" {...(unchosen as Parameters<typeof FranchisePage>[0])} />],
  [
    'merchant account',
    <MerchantAccountPage key="2" {...(unchosen as Parameters<typeof MerchantAccountPage>[0])} />,
  ],
])('whoever has no right to the settings of a %s is asked for no franchise', (_name, page) => {
  expect(wordsOf(page)).toContain('You cannot see this');
});
