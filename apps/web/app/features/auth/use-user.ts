import type { User } from '@brightpane/contract/customers/users';
import { useOutletContext } from 'react-router';

/** Who is signed in; for the screens inside the signed-in frame, which loads it. */
export function useUser(): User {
  return useOutletContext<User>();
}
