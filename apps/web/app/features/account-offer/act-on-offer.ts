import { formText } from '@brightpane/ui/forms/form-text';
import { callApi } from '../../lib/api-client.ts';
import { noteMadeAccount } from '../../lib/session/made-account.ts';
import { forgetOffer, forgetPaidState, readPaidState } from '../../lib/session/paid-state.ts';
import { checkYourInbox, isOver, OFFER_IS_OVER, type OfferResult, refused } from './offer-messages.ts';

type Act = (form: FormData, token: string) => Promise<OfferResult>;

/** Each form's call, by the form's intent. */
const ACTS: Record<string, Act> = {
  async 'create-account'(form, token) {
    const email = formText(form, 'email').trim();
    const answer = await callApi('registerWithOffer', {
      body: {
        token,
        email,
        firstName: formText(form, 'firstName').trim(),
        lastName: formText(form, 'lastName').trim(),
        password: formText(form, 'password'),
      },
    });
    if (!answer.ok) return refused('registerWithOffer', answer.problem);
    // The location waits for the account now, and nobody else may take it from here.
    noteMadeAccount();
    forgetOffer();
    return { success: true, message: checkYourInbox({ email, place: formText(form, 'place') }) };
  },
  async 'add-location'(form, token) {
    const answer = await callApi('useOffer', { body: { token } });
    // The page's guard looks again after the call: without what was paid it would lead away from what the form says.
    if (answer.ok) forgetPaidState();
    else if (isOver(answer.problem)) forgetOffer();
    if (!answer.ok) return refused('useOffer', answer.problem);
    const flash = `${formText(form, 'place')} is in your account.`;
    return { success: true, message: '', goTo: { path: '/invoices', state: { flash } } };
  },
};

/** The token is in no form, so a shared screen or a recording of the page doesn't reveal it. */
export async function actOnOffer(form: FormData): Promise<OfferResult> {
  const act = ACTS[formText(form, 'intent')];
  if (!act) throw new Error(`Unknown form action: ${formText(form, 'intent')}`);
  const token = readPaidState()?.offer?.token;
  return token === undefined ? OFFER_IS_OVER : act(form, token);
}
