import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRevalidator } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { useRight } from '../../lib/me/use-me.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { formatInstantDay } from '../../lib/times.ts';
import { ActForm, DONE, done } from '../../ui/act/act-form.tsx';
import { useSayDone } from '../../ui/act/done-notice.tsx';
import { EmailText } from '../../ui/facts/email-text.tsx';

const STATES = {
  pending: 'Pending',
  accepted: 'Accepted',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
} as const;

type Invitation = OfficeCustomer['invitations'][number];

/** **Invitations**: people whom the office invited to see the customer's invoices. */
export function Invitations({ customer }: { customer: OfficeCustomer }) {
  const { invitations, franchiseId, customerNumber, timeZone } = customer;
  const params = { franchiseId, customerNumber };
  const mayInvite = useRight('invite');
  const { revalidate } = useRevalidator();
  const sayDone = useSayDone();

  async function invite(email: string): Promise<ActionResult> {
    const answer = await callOffice(OFFICE_ENDPOINTS.inviteToCustomer, {
      params,
      body: { email },
      once: `invite ${franchiseId}/${customerNumber}`,
    });
    if (!answer.ok) return refusedResult(answer.problem);
    await revalidate();
    return done(`The invitation to ${email} is on its way.`);
  }
  async function withdraw({ invitationId, email }: Invitation): Promise<ActionResult> {
    const answer = await callOffice(OFFICE_ENDPOINTS.withdrawInvitation, {
      params: { ...params, invitationId },
    });
    if (!answer.ok) return refusedResult(answer.problem);
    await revalidate();
    sayDone(`The invitation to ${email} was withdrawn.`);
    return DONE;
  }
  return (
    <section className="card panel" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {invitations.length === 0 && <p className="quiet">Nobody was invited yet.</p>}
      <ul className="people">
        {invitations.map((invitation) => (
          <li key={invitation.invitationId}>
            <h3>{isOfClosed(invitation) ? 'Account closed' : <EmailText email={invitation.email} />}</h3>
            <p className="quiet">{stateWords(invitation, timeZone)}</p>
            {mayInvite && invitation.state !== 'accepted' && !isOfClosed(invitation) && (
              <div className="button-row">
                <ActForm act={() => invite(invitation.email)}>
                  {({ isPending }) => (
                    <SubmitButton className="btn btn-outline" isPending={isPending}>
                      Send again
                    </SubmitButton>
                  )}
                </ActForm>
                {invitation.state === 'pending' && (
                  <ActForm act={() => withdraw(invitation)}>
                    {({ isPending }) => (
                      <SubmitButton className="btn btn-outline" isPending={isPending}>
                        Withdraw
                      </SubmitButton>
                    )}
                  </ActForm>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayInvite && (
        <ActForm label="Invite" act={(form) => invite(formText(form, 'email').trim())}>
          {({ isPending, errors }) => (
            <>
              <EmailField defaultValue={customer.email ?? ''} autoComplete="off" errors={errors.email} />
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                Invite
              </SubmitButton>
            </>
          )}
        </ActForm>
      )}
    </section>
  );
}

/** Closing an account leaves such an address in its invitations, which nobody has. */
const isOfClosed = ({ email }: Invitation) => /^closed-.*@invalid$/.test(email);

function stateWords({ state, sentAt, expiresAt }: Invitation, timeZone: string): string {
  const sent = `${STATES[state]} · first sent ${formatInstantDay(sentAt, timeZone)}`;
  return state === 'pending' ? `${sent} · good until ${formatInstantDay(expiresAt, timeZone)}` : sent;
}
