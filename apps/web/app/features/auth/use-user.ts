import type { User } from '@brightpane/contract/customers/users';
import { useOutletContext } from 'react-router';

/** The signed-in person; only for screens inside the signed-in layout, which loads it. */
export function useUser(): User {
  return useOutletContext<User>();
}
