import { useCallback } from 'react';
import { useNavigate } from 'react-router';

/**
 * Runs a call outside of loaders and actions, where the router doesn't see what it throws. Follows a redirect to
 * /login; `null` if that happened.
 */
export function useAsk(): <Result>(task: () => Promise<Result>) => Promise<Result | null> {
  const navigate = useNavigate();
  return useCallback(
    async (task) => {
      try {
        return await task();
      } catch (thrown) {
        if (!(thrown instanceof Response)) throw thrown;
        await navigate(thrown.headers.get('Location') ?? '/login');
        return null;
      }
    },
    [navigate],
  );
}
