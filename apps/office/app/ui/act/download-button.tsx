import { askServer, type RefusedCall } from '@brightpane/ui/forms/ask-server';
import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { saveFile } from '@brightpane/ui/page/save-file';
import { useState } from 'react';
import { hasCode, officeHeaders, retrySignedIn } from '../../lib/api-client.ts';
import { askStepUp } from '../../lib/questions.ts';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';
import { fetchFile } from './fetch-file.ts';

const DONE = {
  started: 'The export has begun. Your browser says when the file is whole, or that it failed.',
  saved: 'The file was downloaded.',
};

/**
 * A download. An export of personal data needs a second factor and may be long, so the browser saves it as it arrives. The
 * page itself reads any other.
 */
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
  const [outcome, setOutcome] = useState<RefusedCall | keyof typeof DONE | null>(null);
  const [isPending, setIsPending] = useState(false);
  const hasSucceeded = outcome === 'started' || outcome === 'saved';
  const { send, noteClick } = useSendOnce({ isPending, hasSucceeded });
  async function run() {
    // So that the next outcome is told even if it has the same words.
    setOutcome(null);
    setIsPending(true);
    await (stepUp === undefined ? save() : download(stepUp)).finally(() => setIsPending(false));
  }
  async function save() {
    const file = await fetchFile(path);
    if (!file.ok) return setOutcome(file.problem);
    saveFile(file.data.name, file.data.content);
    setOutcome('saved');
  }
  async function download(words: string) {
    // The browser shows no reason for a refused download. This call, without a second factor, hears it.
    const asked = await retrySignedIn({ method: 'GET', path }, () =>
      askServer(path, { credentials: 'same-origin', headers: officeHeaders() }),
    );
    if (!asked.ok && !hasCode(asked.problem, 'StepUpRequired')) return setOutcome(asked.problem);
    const token = await askStepUp({ method: 'GET', path, body: '' }, words);
    if (token === null) return;
    const link = document.createElement('a');
    link.href = `${path}${path.includes('?') ? '&' : '?'}stepUp=${encodeURIComponent(token)}`;
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
      {hasSucceeded && <Alert tone="success">{DONE[outcome]}</Alert>}
      {outcome !== null && !hasSucceeded && (
        <Alert tone="danger" of={outcome}>
          {refusalWords(outcome, NOT_HEARD_READING)}
        </Alert>
      )}
    </form>
  );
}
