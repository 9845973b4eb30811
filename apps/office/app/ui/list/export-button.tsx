import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useState } from 'react';
import { officePath } from '../../lib/api-client.ts';
import { useRight } from '../../lib/me/use-me.ts';
import { askStepUp } from '../../lib/questions.ts';

export type ListExport = {
  /** The call's path, such as `/office/payments.csv`. */
  path: string;
  /** The act in words for **Confirm it is you**: "Export payments". Omit it if the file holds no personal data. */
  stepUp?: string;
};

/** **Export CSV**: all pages of the list. Needs the right to export, and a second factor for personal data. */
export function ExportButton({ path, stepUp, query }: ListExport & { query: Record<string, string> }) {
  const mayExport = useRight('export');
  const [isStarted, setIsStarted] = useState(false);
  if (!mayExport) return null;
  async function download() {
    const { cursor: _, ...filters } = query;
    const plain = officePath(path, {}, filters);
    const token =
      stepUp === undefined ? null : await askStepUp({ method: 'GET', path: plain, body: '' }, stepUp);
    if (stepUp !== undefined && token === null) return;
    const link = document.createElement('a');
    link.href = token === null ? plain : officePath(path, {}, { ...filters, stepUp: token });
    // The server names the file. A refused export shows as a failed download, and the screen stays.
    link.download = '';
    link.click();
    setIsStarted(true);
  }
  return (
    <>
      <button type="button" className="btn btn-outline" onClick={() => void download()}>
        Export CSV
      </button>
      {isStarted && (
        <Alert tone="success">
          The export has begun. Your browser says when the file is whole, or that it failed.
        </Alert>
      )}
    </>
  );
}
