import type { ImportAnswer } from '@brightpane/contract/office';
import type { CheckedImport, Import } from '@brightpane/contract/office/imports';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice, hasCode } from '../../lib/api-client.ts';
import { changedMe } from '../../lib/me/me-stale.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { countRows } from './count-rows.ts';

export type Progress = {
  bytes: number;
  sent: number;
  /** Null until the server reports it. */
  rowsRead: number | null;
  /** Null if it can't be estimated. */
  rows: number | null;
};

export type ImportStep =
  | { at: 'choosing'; problem: RefusedCall | null }
  | { at: 'checking' | 'importing'; file: File; progress: Progress }
  | { at: 'checked'; file: File; checked: CheckedImport; problem: RefusedCall | null }
  | { at: 'imported'; file: File; importId: string; answer: ImportAnswer };

const ASK_EVERY_MILLISECONDS = 1_000;

/** One file's way from chosen to checked to imported. A lost answer keeps the checked state. */
export function useImport() {
  const [step, setStep] = useState<ImportStep>({ at: 'choosing', problem: null });
  const { revalidate } = useRevalidator();
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  /** Sends the file and polls its progress every second. */
  async function send<Data>(
    at: 'checking' | 'importing',
    { file, importId }: { file: File; importId: string },
  ) {
    const controller = new AbortController();
    leaving.current = controller;
    let progress: Progress = { bytes: file.size, sent: 0, rowsRead: null, rows: null };
    const show = (change: Partial<Progress>) => {
      progress = { ...progress, ...change };
      // A row count that arrives after the answer must not bring the progress screen back.
      if (leaving.current === controller) setStep({ at, file, progress });
    };
    show({});
    void countRows(file)
      // It can't be read any more; then sending it fails, too, and says so.
      .catch(() => null)
      .then((rows) => show({ rows }));
    const asking = window.setInterval(() => {
      void callOffice<Import>(OFFICE_ENDPOINTS.importRecord, {
        params: { importId },
        isBackground: true,
      }).then((record) => record.ok && show({ rowsRead: record.data.rowsRead }));
    }, ASK_EVERY_MILLISECONDS);
    const call = at === 'checking' ? OFFICE_ENDPOINTS.checkImport : OFFICE_ENDPOINTS.import;
    const answer = await uploadFile<Data>(call, {
      file,
      query: { importId, fileName: file.name },
      onSent: (sent) => show({ sent }),
      signal: controller.signal,
    });
    window.clearInterval(asking);
    if (leaving.current === controller) leaving.current = null;
    return { answer, isCanceled: controller.signal.aborted };
  }

  async function check(file: File) {
    const importId = crypto.randomUUID();
    const { answer, isCanceled } = await send<CheckedImport>('checking', { file, importId });
    if (!isCanceled) {
      setStep(
        answer.ok
          ? { at: 'checked', file, checked: answer.data, problem: null }
          : { at: 'choosing', problem: answer.problem },
      );
    }
    await revalidate();
  }

  async function apply({ file, checked }: { file: File; checked: CheckedImport }) {
    const { importId } = checked;
    const { answer, isCanceled } = await send<ImportAnswer>('importing', { file, importId });
    if (!isCanceled) setStep(afterApplying());
    // It may have opened an office, or moved one to another time zone.
    changedMe();
    await revalidate();

    function afterApplying(): ImportStep {
      if (answer.ok) return { at: 'imported', file, importId, answer: answer.data };
      const { problem } = answer;
      return hasCode(problem, 'AnotherFile')
        ? { at: 'choosing', problem }
        : { at: 'checked', file, checked, problem };
    }
  }

  function cancel() {
    leaving.current?.abort();
    leaving.current = null;
    setStep({ at: 'choosing', problem: null });
  }

  return { step, check, apply, cancel };
}
