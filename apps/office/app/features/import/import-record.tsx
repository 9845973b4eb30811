import type { Import } from '@brightpane/contract/office/imports';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useCallback, useEffect, useState } from 'react';
import { callOffice, officePath } from '../../lib/api-client.ts';
import { refusalWords } from '../../lib/refusal.ts';
import { DownloadButton } from '../../ui/act/download-button.tsx';
import { ImportFaults } from './import-faults.tsx';
import { counted } from './import-words.ts';
import { WhatChanges } from './what-changes.tsx';

/** What one past import did, and the file that undoes it. Loads when opened, or at once if `isOpen`. */
export function ImportRecord({
  importId,
  name,
  isOpen = false,
}: {
  importId: string;
  name: string;
  isOpen?: boolean;
}) {
  const [record, setRecord] = useState<Import | null>(null);
  const [words, setWords] = useState('Loading…');
  const load = useCallback(async () => {
    const answer = await callOffice<Import>(OFFICE_ENDPOINTS.importRecord, { params: { importId } });
    if (answer.ok) setRecord(answer.data);
    else setWords(refusalWords(answer.problem));
  }, [importId]);
  // What is open from the beginning is not toggled.
  useEffect(() => {
    if (isOpen) void load();
  }, [isOpen, load]);
  return (
    <details
      className="before-after"
      open={isOpen}
      onToggle={(event) => event.currentTarget.open && void load()}
    >
      <summary>
        Details<span className="visually-hidden"> of {name}</span>
      </summary>
      {record ? <Details record={record} /> : <p role="status">{words}</p>}
    </details>
  );
}

function Details({ record }: { record: Import }) {
  const { importId, undo, faultCount } = record;
  return (
    <>
      {faultCount > 0 && <ImportFaults {...record} />}
      <WhatChanges {...record} />
      {undo && (
        <>
          <p>
            The undo file brings back {counted(undo.rows, 'invoice')} as before. Import it like any file.
            Payments made meanwhile stay and may become overpayments.
            {undo.leftOut > 0 && ` ${counted(undo.leftOut, 'row')} changed again since and left out.`}
          </p>
          <DownloadButton
            label="Download the undo file"
            path={officePath(OFFICE_ENDPOINTS.undoFile.path, { importId })}
            stepUp="Download the undo file"
          />
        </>
      )}
    </>
  );
}
