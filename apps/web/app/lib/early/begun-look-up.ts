import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { type Answer, readAnswer } from '@brightpane/ui/forms/ask-server';

declare global {
  interface Window {
    /**
     * The look-up that `begin-look-up.ts` started: the body it sent, and the server's response. `null`: the app has asked
     * for it, and makes its own from now on.
     */
    begunLookUp?: { body: string; response: Promise<Response> } | null | undefined;
  }
}

/** The answer to the look-up that began before this app had loaded. Works once, and only for the same body. */
export function takeBegunLookUp(body: object): Promise<Answer<Invoice>> | undefined {
  const begun = window.begunLookUp;
  window.begunLookUp = null;
  return begun?.body === JSON.stringify(body) ? readAnswer<Invoice>(() => begun.response) : undefined;
}
