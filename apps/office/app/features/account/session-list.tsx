import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Badge } from '@brightpane/ui/page/badge.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useSayDone } from '../../ui/act/done-notice.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OwnTime } from '../../ui/facts/own-time.tsx';

/** **Sessions**: where this person is signed in. */
export function SessionList({ sessions }: { sessions: Account['sessions'] }) {
  const act = useAct();
  const sayDone = useSayDone();
  const end = async (sessionId: string, words: string) => {
    const result = await act(OFFICE_ENDPOINTS.endSession, { params: { sessionId } });
    if (result.success) sayDone(words);
    return result;
  };
  return (
    <Card
      title="Sessions"
      aside={
        sessions.length > 1 && (
          <ActForm act={() => end('others', 'All other sessions were ended.')}>
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
              <ActForm
                label={`The session of ${device}`}
                act={() => end(sessionId, 'The session was ended.')}
              >
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
