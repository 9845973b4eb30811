import { createContext, type Dispatch, type SetStateAction, useContext, useState } from 'react';

type Sending = {
  isSending: boolean;
  /** Counts the forms that are being sent. */
  setSending: Dispatch<SetStateAction<number>>;
};

/**
 * What the forms of one dialog or column are doing. Whatever there would drop a form waits until it has been sent:
 * its outcome would be lost. Null elsewhere.
 */
export const SendingContext = createContext<Sending | null>(null);

/** For the owner of a `SendingContext`. */
export function useSending(): Sending {
  const [sending, setSending] = useState(0);
  return { isSending: sending > 0, setSending };
}

/** Whether a form of this dialog or column is being sent. */
export const useIsSending = (): boolean => useContext(SendingContext)?.isSending ?? false;
