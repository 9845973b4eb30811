import type { SessionShown } from '@brightpane/contract/customers/account';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { SentForm } from './account-form.tsx';
import { useAccountSender } from './use-account-sender.ts';

const JUST_USED_MILLISECONDS = 10 * 60_000;

export function SessionList({ sessions }: { sessions: SessionShown[] }) {
  const sender = useAccountSender();
  return (
    <>
      <OutcomeAlert result={sender.result} />
      <ul className="session-list">
        {sessions.map((each) => (
          <li key={each.sessionId}>
            <p>{describe(each)}</p>
            <SentForm
              sender={sender}
              intent="end-session"
              hidden={{ sessionId: each.sessionId, current: String(each.current) }}
              className="btn btn-outline"
              submit={
                <>
                  End session
                  <span className="visually-hidden">
                    : {each.device}, signed in {dayOf(each.signedInAt)}
                  </span>
                </>
              }
            />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <SentForm
          sender={sender}
          intent="end-other-sessions"
          submit="End all other sessions"
          className="btn btn-outline"
        />
      )}
      <p className="quiet">We do not record places.</p>
    </>
  );
}

function describe({ device, signedInAt, lastUsedAt, current }: SessionShown): string {
  const isJustUsed = Date.now() - Date.parse(lastUsedAt) < JUST_USED_MILLISECONDS;
  return [
    `${device}.`,
    `Signed in ${dayOf(signedInAt)}.`,
    `Last used ${isJustUsed ? 'within 10 minutes' : dayOf(lastUsedAt)}.`,
    ...(current ? ['This device.'] : []),
  ].join(' ');
}

/** The day in the person's own time zone, since a session belongs to no franchise. */
function dayOf(instant: string): string {
  const at = new Date(instant);
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return formatWireDate(`${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`);
}
