import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Badge } from '@brightpane/ui/badge.tsx';
import { Card } from '@brightpane/ui/card.tsx';
import { SubmitButton } from '@brightpane/ui/submit-button.tsx';
import { ActForm } from '../../ui/act-form.tsx';
import { OwnTime } from '../../ui/own-time.tsx';
import { useAct } from '../../ui/use-act.ts';

/** **Sessions**: where this person is signed in. */
export function SessionList({ sessions }: { sessions: Account['sessions'] }) {
  const act = useAct();
  const end = (sessionId: string) => act(OFFICE_ENDPOINTS.endSession, { params: { sessionId } });
  return (
    <Card
      title="Sessions"
      aside={
        sessions.length > 1 && (
          <ActForm act={() => end('others')}>
            {({ isPending }) => (
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                End all others
              </SubmitButton>
            )}
          </ActForm>
        )
      }
    >
      <ul className="entries">
        {sessions.map(({ sessionId, device, since, lastSeenAt, isThis }) => (
          <li key={sessionId} className="entry">
            <div>
              <strong>{device}</strong> {isThis && <Badge tone="success">This one</Badge>}
              <p className="quiet">
                Since <OwnTime at={since} />, last seen <OwnTime at={lastSeenAt} />
              </p>
            </div>
            {!isThis && (
              <ActForm label={`The session of ${device}`} act={() => end(sessionId)}>
                {({ isPending }) => (
                  <SubmitButton className="btn btn-outline" isPending={isPending}>
                    End
                  </SubmitButton>
                )}
              </ActForm>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
