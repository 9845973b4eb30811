import { createContext, type Dispatch, type SetStateAction } from 'react';

/** What the buttons of a dialog know about it, and tell it; null outside of dialogs. */
export const DialogContext = createContext<{
  isSending: boolean;
  /** Counts the forms inside that are being sent. */
  setSending: Dispatch<SetStateAction<number>>;
  onClose: () => void;
} | null>(null);
