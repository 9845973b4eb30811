import type { OfficeNote } from '@brightpane/contract/office/payments';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { useId, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice, type OfficeCall } from '../../lib/api-client.ts';
import { useRight } from '../../lib/me/use-me.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { formatInstant } from '../../lib/times.ts';
import { ActForm, done } from '../act/act-form.tsx';
import { LinesField } from '../fields/lines-field.tsx';
import { ByText } from './by-text.tsx';

/** **Notes** that people wrote. They are never changed or removed. */
export function Notes({
  notes,
  zone,
  call,
  params,
}: {
  notes: readonly OfficeNote[];
  zone: string;
  call: OfficeCall;
  params: Record<string, string | number>;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const mayWrite = useRight('invite');
  const { revalidate } = useRevalidator();
  return (
    <section className="card panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Notes</h2>
      {notes.length === 0 && <p className="quiet">No notes yet.</p>}
      <ul className="notes">
        {notes.map(({ noteId, at, by, text }) => (
          <li key={noteId}>
            <p className="note-text">{text}</p>
            <p className="quiet">
              <ByText by={by} />, <time dateTime={at}>{formatInstant(at, zone)}</time>
            </p>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <ActForm
          ref={form}
          label="Add note"
          act={async (data) => {
            const body = { text: formText(data, 'text') };
            const answer = await callOffice(call, { params, body, once: 'note' });
            if (!answer.ok) return refusedResult(answer.problem);
            form.current?.reset();
            await revalidate();
            return done('The note was added.');
          }}
        >
          {({ isPending, errors }) => (
            <>
              <LinesField label="Note" name="text" rows={2} errors={errors.text} />
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                Add note
              </SubmitButton>
            </>
          )}
        </ActForm>
      )}
    </section>
  );
}
