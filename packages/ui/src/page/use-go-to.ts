import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { ActionResult } from '../outcomes/action-result.ts';

/** Goes to the page that a result names. An action's own redirect can't carry history state; this can. */
export function useGoTo(result: ActionResult | undefined): void {
  const navigate = useNavigate();
  const goTo = result?.goTo;
  useEffect(() => {
    if (goTo) void navigate(goTo.path, { replace: true, state: goTo.state });
  }, [goTo, navigate]);
}
