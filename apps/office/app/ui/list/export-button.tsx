import { officePath } from '../../lib/api-client.ts';
import { useUnseenFranchise } from '../../lib/franchise-choice.ts';
import { useRight } from '../../lib/me/use-me.ts';
import { DownloadButton } from '../act/download-button.tsx';

export type ListExport = {
  /** The call's path, such as `/office/payments.csv`. */
  path: string;
  /** The act in words for **Confirm it is you**: "Export payments". Omit it if the file holds no personal data. */
  stepUp?: string;
};

/** **Export CSV**: all pages of the list. Needs the right to export, and a second factor for personal data. An unseen franchise has no file. */
export function ExportButton({ path, stepUp, query }: ListExport & { query: Record<string, string> }) {
  const { cursor: _, ...filters } = query;
  const mayExport = useRight('export');
  const isUnseen = useUnseenFranchise() !== null;
  if (!mayExport || isUnseen) return null;
  return <DownloadButton label="Export CSV" path={officePath(path, {}, filters)} stepUp={stepUp} />;
}
