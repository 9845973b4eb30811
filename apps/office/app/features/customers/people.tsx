import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRevalidator } from 'react-router';
import { callOffice, type OfficeCall } from '../../lib/api-client.ts';
import { useMe, useRight } from '../../lib/me/use-me.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { formatInstant, formatInstantDay } from '../../lib/times.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { ActForm, done } from '../../ui/act/act-form.tsx';
import { EmailText } from '../../ui/facts/email-text.tsx';

type Person = OfficeCustomer['people'][number];

const HQ_ROLES = ['admin', 'finance', 'support'];

/** **People**: who sees the customer's invoices, and what the office can do for them. */
export function People({ customer }: { customer: OfficeCustomer }) {
  const { people, timeZone } = customer;
  const mayAct = useRight('invite');
  return (
    <section className="card panel" aria-labelledby="people">
      <h2 id="people">People</h2>
      {people.length === 0 && <p className="quiet">Nobody sees these invoices yet.</p>}
      <ul className="people">
        {people.map((person) => (
          <li key={person.userId}>
            <h3>{person.name || person.email}</h3>
            <p className="quiet">
              <EmailText email={person.email} /> ·{' '}
              {[
                person.linkedBy === 'invitation' ? 'By an invitation' : 'By the three numbers',
                `since ${formatInstantDay(person.since, timeZone)}`,
                person.isConfirmed ? 'confirmed' : 'not confirmed',
                person.lastSignInAt
                  ? `last signed in ${formatInstant(person.lastSignInAt, timeZone)}`
                  : 'never signed in',
                person.isActive ? '' : 'switched off',
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {mayAct && <PersonActs customer={customer} person={person} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PersonActs({ customer, person }: { customer: OfficeCustomer; person: Person }) {
  const { franchiseId, customerNumber } = customer;
  const { userId, email } = person;
  const params = { franchiseId, customerNumber, userId };
  const { role } = useMe();
  const { revalidate } = useRevalidator();
  const name = person.name || email;

  const act =
    (call: OfficeCall, options: object, words = '') =>
    async (): Promise<ActionResult> => {
      const answer = await callOffice(call, options);
      if (!answer.ok) return refusedResult(answer.problem);
      await revalidate();
      return done(words);
    };
  const mail = (kind: 'reset' | 'confirm') =>
    act(
      OFFICE_ENDPOINTS.mailPerson,
      { params, body: { kind }, once: `mail ${kind} ${userId}` },
      `The mail to ${email} is on its way.`,
    );
  return (
    <details className="person-acts">
      <summary className="btn btn-outline">Actions for {name}</summary>
      <div className="button-row">
        <ActForm act={mail('reset')}>
          {({ isPending }) => (
            <SubmitButton className="btn btn-outline" isPending={isPending}>
              Send password reset
            </SubmitButton>
          )}
        </ActForm>
        {!person.isConfirmed && (
          <ActForm act={mail('confirm')}>
            {({ isPending }) => (
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                Resend confirmation
              </SubmitButton>
            )}
          </ActForm>
        )}
        {HQ_ROLES.includes(role) && (
          <ActForm
            act={act(
              OFFICE_ENDPOINTS.switchUser,
              { params: { email }, body: { active: !person.isActive } },
              person.isActive ? 'The account was switched off.' : 'The account was switched on.',
            )}
          >
            {({ isPending }) => (
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                {person.isActive ? 'Switch account off' : 'Switch account on'}
              </SubmitButton>
            )}
          </ActForm>
        )}
        <ActDialog
          button="End access"
          title={`End access of ${name}`}
          isDanger
          done={`The access of ${name} was ended.`}
          act={act(OFFICE_ENDPOINTS.endAccess, { params })}
        >
          <p>
            {name} will no longer see the invoices of {customer.name}. Invoices of other customers stay.
          </p>
          <p>
            Anyone with the three numbers of an invoice can still add its location. A new invitation restores
            everything.
          </p>
        </ActDialog>
      </div>
    </details>
  );
}
