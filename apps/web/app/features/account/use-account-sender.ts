import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useEffect, useState } from 'react';
import { type FetcherWithComponents, useFetcher } from 'react-router';
import { logOut } from '../auth/log-out.ts';

/** Sends the forms of one region, one at a time. */
export type AccountSender = {
  fetcher: FetcherWithComponents<ActionResult | undefined>;
  /** The last outcome, for whoever outlives the forms. */
  result: ActionResult | undefined;
  isPending: boolean;
  /** The form that was sent last, by an id of its own. */
  sentForm: string | null;
  setSentForm: (id: string) => void;
};

export function useAccountSender(): AccountSender {
  const fetcher = useFetcher<ActionResult>();
  const [sentForm, setSentForm] = useState<string | null>(null);
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  // A result that leads elsewhere is on its way there.
  const isPending = fetcher.state !== 'idle' || result?.goTo !== undefined;
  // Sign out of this browser before navigating: /login is only for signed-out people.
  useEffect(() => {
    if (result?.goTo) logOut();
  }, [result]);
  useGoTo(result);
  return { fetcher, result, isPending, sentForm, setSentForm };
}
