import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { askServer, type RefusedCall } from '@brightpane/ui/forms/ask-server';
import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useState } from 'react';
import { callOffice, hasCode, officeHeaders, retrySignedIn } from '../../lib/api-client.ts';
import { askStepUp } from '../../lib/questions.ts';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';

/** A download, after a second factor if it holds personal data. */
export function DownloadButton({
  label,
  path,
  stepUp,
}: {
  label: string;
  /** With its query. */
  path: string;
  /** The act in words for **Confirm it is you**: "Export payments". */
  stepUp?: string | undefined;
}) {
  const [outcome, setOutcome] = useState<RefusedCall | 'started' | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { send, noteClick } = useSendOnce({ isPending, hasSucceeded: outcome === 'started' });
  async function run() {
    // So that the next outcome is told even if it has the same words.
    setOutcome(null);
    setIsPending(true);
    await download().finally(() => setIsPending(false));
  }
  async function download() {
    const link = document.createElement('a');
    link.href = path;
    if (stepUp !== undefined) {
      // The browser shows no reason for a refused download. This call, without a second factor, hears it.
      const asked = await retrySignedIn({ method: 'GET', path }, () =>
        askServer(path, { credentials: 'same-origin', headers: officeHeaders() }),
      );
      if (!asked.ok && !hasCode(asked.problem, 'StepUpRequired')) return setOutcome(asked.problem);
      const token = await askStepUp({ method: 'GET', path, body: '' }, stepUp);
      if (token === null) return;
      link.href += `${path.includes('?') ? '&' : '?'}stepUp=${encodeURIComponent(token)}`;
    } else {
      // A link can't ask for a session that has ended meanwhile; this call can.
      const answer = await callOffice(OFFICE_ENDPOINTS.me);
      if (!answer.ok) return setOutcome(answer.problem);
    }
    // The server names the file. One refused only now shows as a failed one, and the screen stays.
    link.download = '';
    link.click();
    setOutcome('started');
  }
  return (
    <form className="act-form" onClickCapture={noteClick} onSubmit={(event) => send(event, run)}>
      {/* Not disabled meanwhile: the question for a second factor gives it the focus back. */}
      <button type="submit" className="btn btn-outline" aria-busy={isPending}>
        {label}
      </button>
      {outcome === 'started' && (
        <Alert tone="success">
          The export has begun. Your browser says when the file is whole, or that it failed.
        </Alert>
      )}
      {outcome !== null && outcome !== 'started' && (
        <Alert tone="danger" of={outcome}>
          {refusalWords(outcome, NOT_HEARD_READING)}
        </Alert>
      )}
    </form>
  );
}
