import type { Payment } from '@brightpane/contract/office/payments';
import { formatInstant } from '../../lib/times.ts';
import { EmailText } from '../../ui/facts/email-text.tsx';

const KINDS: Record<string, string> = {
  'payment-receipt': 'Receipt',
  'capture-failed': 'Not collected',
  'credit-note': 'Credit',
  'refund-made': 'Refund',
  'refund-undone': 'Refund taken back',
  'refund-ended': 'To the person who requested the refund',
  'refund-to-approve': 'To people who may approve the refund',
};

const STATES: Record<string, string> = {
  queued: 'Queued',
  'handed-to-the-mail-server': 'Handed to the mail server',
  refused: 'Refused',
  'given-up': 'Given up',
  canceled: 'Canceled',
};

/** **Mail**: what was sent about the payment. Never "delivered", which we can't know. */
export function MailList({ mails, zone }: { mails: Payment['mails']; zone: string }) {
  return (
    <section className="card panel" aria-labelledby="mail">
      <h2 id="mail">Mail</h2>
      {mails.length === 0 ? (
        <p className="quiet">No mail was sent.</p>
      ) : (
        <ul className="history">
          {mails.map(({ mailId, kind, to, state, at }) => (
            <li key={mailId}>
              <p>
                <strong>{KINDS[kind] ?? 'Mail'}</strong> to{' '}
                {to === '' ? 'an address that was removed' : <EmailText email={to} />}:{' '}
                {STATES[state] ?? state}{' '}
                <time className="quiet" dateTime={at}>
                  {formatInstant(at, zone)}
                </time>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
