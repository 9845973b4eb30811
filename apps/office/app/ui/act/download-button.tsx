import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useState } from 'react';
import { askStepUp } from '../../lib/questions.ts';

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
  const [isStarted, setIsStarted] = useState(false);
  async function download() {
    const link = document.createElement('a');
    link.href = path;
    if (stepUp !== undefined) {
      const token = await askStepUp({ method: 'GET', path, body: '' }, stepUp);
      if (token === null) return;
      link.href += `${path.includes('?') ? '&' : '?'}stepUp=${encodeURIComponent(token)}`;
    }
    // The server names the file. A refused download shows as a failed one, and the screen stays.
    link.download = '';
    link.click();
    setIsStarted(true);
  }
  return (
    <>
      <button type="button" className="btn btn-outline" onClick={() => void download()}>
        {label}
      </button>
      {isStarted && (
        <Alert tone="success">
          The export has begun. Your browser says when the file is whole, or that it failed.
        </Alert>
      )}
    </>
  );
}
