import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { NoAnswerError } from './session/access-token.ts';

/**
 * Runs a call outside of loaders and actions, where the router doesn't see what it throws. Follows a redirect to
 * /login; `null` if that happened, or if the session could not be renewed for want of an answer.
 */
export function useAsk(): <Result>(task: () => Promise<Result>) => Promise<Result | null> {
  const navigate = useNavigate();
  return useCallback(
    async (task) => {
      try {
        return await task();
      } catch (thrown) {
        if (thrown instanceof Response) await navigate(thrown.headers.get('Location') ?? '/login');
        else if (!(thrown instanceof NoAnswerError)) throw thrown;
        return null;
      }
    },
    [navigate],
  );
}
