import type { SessionShown } from '@brightpane/contract/customers/account';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { AccountForm } from './account-form.tsx';

const JUST_USED_MILLISECONDS = 10 * 60_000;

export function SessionList({ sessions }: { sessions: SessionShown[] }) {
  return (
    <>
      <ul className="session-list">
        {sessions.map((each) => (
          <li key={each.sessionId}>
            <p>{describe(each)}</p>
            <AccountForm
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
        <AccountForm
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
