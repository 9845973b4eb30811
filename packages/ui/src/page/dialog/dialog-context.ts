import { createContext } from 'react';

/** Closes the dialog around it; null outside of dialogs. */
export const DialogContext = createContext<(() => void) | null>(null);
