import type { Account, AccountData, EndedSessions } from '@brightpane/contract/customers/account';
import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { saveFile } from '@brightpane/ui/page/save-file';
import { callApi } from '../../lib/api-client.ts';
import { readData } from '../../lib/read-data.ts';
import { done, refused } from './account-messages.ts';

type Act = (form: FormData) => Promise<ActionResult>;

/** Each form's call, by the form's intent. */
const ACTS: Record<string, Act> = {
  async 'save-details'(form) {
    const body = { firstName: formText(form, 'firstName'), lastName: formText(form, 'lastName') };
    const answer = await callApi('updateAccount', { body });
    return answer.ok ? done('Details saved') : refused('updateAccount', answer.problem);
  },
  async 'change-email'(form) {
    const email = formText(form, 'email').trim();
    const answer = await callApi('changeEmail', { body: { email, password: formText(form, 'password') } });
    if (!answer.ok) return refused('changeEmail', answer.problem);
    return done(`Check the inbox of ${email} and confirm it within 24 hours.`);
  },
  async 'cancel-email'() {
    const answer = await callApi('cancelEmail');
    if (!answer.ok) return refused('cancelEmail', answer.problem);
    // The answer is the same if the change was confirmed meanwhile, and then stands.
    const account = await readData<Account>('account');
    if (!account.ok) return done('Change canceled, unless it was confirmed before');
    const { undoUntil, previousEmail } = account.data;
    if (undoUntil === null) return done('Change canceled');
    return {
      success: false,
      message: `The change was already confirmed. ${previousEmail} can undo it by the link in its mail.`,
    };
  },
  async 'change-password'(form) {
    const body = { password: formText(form, 'password'), newPassword: formText(form, 'newPassword') };
    const answer = await callApi('changePassword', { body });
    if (!answer.ok) return refused('changePassword', answer.problem);
    return done('Password changed. Your other sessions have ended.');
  },
  async 'end-session'(form) {
    const answer = await callApi('endSession', { params: { sessionId: formText(form, 'sessionId') } });
    // A session that is already gone counts as ended.
    if (!answer.ok && answer.problem.status !== 404) return refused('endSession', answer.problem);
    return formText(form, 'current') === 'true' ? leave('Session ended') : done('Session ended');
  },
  async 'end-other-sessions'() {
    const answer = await callApi<EndedSessions>('endOtherSessions');
    if (!answer.ok) return refused('endOtherSessions', answer.problem);
    const { ended } = answer.data;
    return done(`${ended} ${ended === 1 ? 'session' : 'sessions'} ended`);
  },
  async 'download-data'(form) {
    const answer = await callApi<AccountData>('exportData', {
      body: { password: formText(form, 'password') },
    });
    if (!answer.ok) return refused('exportData', answer.problem);
    const json = new Blob([JSON.stringify(answer.data, null, 2)], { type: 'application/json' });
    saveFile(`brightpane-${new Date().toISOString().slice(0, 10)}.json`, json);
    return done('Your download has started.');
  },
  async 'close-account'(form) {
    const answer = await callApi('closeAccount', { body: { password: formText(form, 'password') } });
    return answer.ok ? leave('Your account is closed.') : refused('closeAccount', answer.problem);
  },
};

/** The form forgets the session when it navigates; any sooner, the guard would redirect without this message. */
function leave(flash: string): ActionResult {
  return { success: true, message: '', goTo: { path: '/login', state: { flash } } };
}

export async function actOnAccount(form: FormData): Promise<ActionResult> {
  const intent = formText(form, 'intent');
  const act = ACTS[intent];
  if (!act) throw new Error(`Unknown form action: ${intent}`);
  return act(form);
}
