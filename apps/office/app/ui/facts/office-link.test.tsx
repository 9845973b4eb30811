import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { OfficeLink } from './office-link.tsx';

/** The address of a link on a screen. */
function hrefOf(to: string, search: string): string | undefined {
  const Screen = createRoutesStub([{ path: '/', Component: () => <OfficeLink to={to}>There</OfficeLink> }]);
  const [, href] =
    /href="([^"]*)"/.exec(renderToStaticMarkup(<Screen initialEntries={[`/${search}`]} />)) ?? [];
  return href?.replaceAll('&amp;', '&');
}

test.each([
  ['/customers/11/501', '?franchiseId=11&state=paid', '/customers/11/501?franchiseId=11'],
  ['/import?importId=7', '?franchiseId=11', '/import?importId=7&franchiseId=11'],
  ['/payments?franchiseId=12&search=1042', '?franchiseId=11', '/payments?franchiseId=12&search=1042'],
  ['/customers/11/501', '?state=paid', '/customers/11/501'],
])('a link to %s from a screen with %s leads to %s', (to, search, href) => {
  expect(hrefOf(to, search)).toBe(href);
});
