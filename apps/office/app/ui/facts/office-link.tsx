import { Link, type LinkProps } from 'react-router';
import { useFranchiseSearch } from '../../lib/franchise-choice.ts';

/** A link to another screen of the console, which keeps the franchise that is chosen in the URL. */
export function OfficeLink({ to, ...link }: Omit<LinkProps, 'to'> & { to: string }) {
  return <Link to={`${to}${useKept(to)}`} {...link} />;
}

/** What is added to the address; nothing if it names a franchise itself. */
function useKept(to: string): string {
  const search = useFranchiseSearch();
  if (!to.includes('?')) return search;
  return to.includes('franchiseId=') ? '' : search.replace('?', '&');
}
