import type { CheckedImport, Imports } from '@brightpane/contract/office/imports';
import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { LeaveDialog } from '@brightpane/ui/page/dialog/leave-dialog.tsx';
import { useSearchParams } from 'react-router';
import { isPageLeft } from '../../lib/leave-page.ts';
import { refusalWords } from '../../lib/refusal.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { ChooseFile } from './choose-file.tsx';
import { ImportFaults } from './import-faults.tsx';
import { ImportHistory, type ImportRow } from './import-history.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportRecord } from './import-record.tsx';
import { count, counted } from './import-words.ts';
import { useImport } from './use-import.ts';
import { WhatChanges } from './what-changes.tsx';

/** `/office/import`: check a file, review the changes, import it; below, the history, with `?importId` one import first. */
export function ImportScreen({ load }: { load: ListLoad<ImportRow, Imports> }) {
  const { step, check, apply, cancel } = useImport();
  const importId = useSearchParams()[0].get('importId');
  return (
    <div className="screen">
      <OfficeTitle title="Import invoices" />
      {step.at === 'choosing' && (
        <>
          <Refused problem={step.problem} />
          <ChooseFile onChoose={(file) => void check(file)} />
        </>
      )}
      {step.at === 'checking' && (
        <ImportProgress
          title="Checking"
          fileName={step.file.name}
          progress={step.progress}
          onCancel={cancel}
        />
      )}
      {(step.at === 'checking' || step.at === 'importing') && (
        <LeaveDialog keepsQuery mayLeave={isPageLeft}>
          {step.at === 'checking'
            ? 'The file is still being checked. Leaving stops the check; nothing has changed so far.'
            : 'The file is still being imported. If you leave, you do not see whether it was: look for it in the history.'}
        </LeaveDialog>
      )}
      {step.at === 'importing' && (
        <ImportProgress title="Importing" fileName={step.file.name} progress={step.progress} />
      )}
      {step.at === 'checked' && (
        <Checked
          fileName={step.file.name}
          checked={step.checked}
          problem={step.problem}
          onImport={() => void apply(step)}
          onAnother={cancel}
        />
      )}
      {step.at === 'imported' && (
        <>
          <Alert tone="success" of={step.answer}>
            Imported {step.file.name}: {count(step.answer.created)} created, {count(step.answer.updated)}{' '}
            updated, {count(step.answer.unchanged)} unchanged.
          </Alert>
          <ChooseFile onChoose={(file) => void check(file)} />
        </>
      )}
      {importId !== null && (
        <Card title="One import">
          <ImportRecord key={importId} importId={importId} name="this import" isOpen />
        </Card>
      )}
      <ImportHistory load={load} />
    </div>
  );
}

function Refused({ problem }: { problem: RefusedCall | null }) {
  return (
    problem && (
      <Alert tone="danger" of={problem}>
        {refusalWords(problem)}
      </Alert>
    )
  );
}

function Checked({
  fileName,
  checked,
  problem,
  onImport,
  onAnother,
}: {
  fileName: string;
  checked: CheckedImport;
  problem: RefusedCall | null;
  onImport: () => void;
  onAnother: () => void;
}) {
  const { rows, created, updated, unchanged, faultCount } = checked;
  const another = (
    <button type="button" className="btn btn-outline" onClick={onAnother}>
      Choose another file
    </button>
  );
  if (faultCount > 0) {
    return (
      <Card title={fileName}>
        <ImportFaults {...checked}>{another}</ImportFaults>
      </Card>
    );
  }
  return (
    <Card title="What changes">
      <p role="status" tabIndex={-1} ref={takeFocus}>
        {fileName}: {count(created)} created, {count(updated)} updated, {count(unchanged)} unchanged.
      </p>
      <WhatChanges {...checked} />
      <Refused problem={problem} />
      <div className="button-row foot-bar">
        <button type="button" className="btn btn-primary" onClick={onImport}>
          Import {counted(rows, 'invoice')}
        </button>
        {another}
      </div>
    </Card>
  );
}

/** The button that chose the file is gone since. */
function takeFocus(result: HTMLElement | null): void {
  result?.focus({ preventScroll: true });
}
