import type { Difference } from '@brightpane/contract/office/review';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { seenVersion } from '../../lib/seen-version.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { SeenVersion } from '../../ui/act/seen-version.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { usd } from '../../ui/fields/dollars.tsx';
import { asWords } from './review-words.ts';

/** **Acknowledge**: somebody has looked, and notes the result. */
export function AcknowledgeDifference({
  difference: { differenceId, kind, orderId, amount, version },
}: {
  difference: Difference;
}) {
  const act = useAct();
  return (
    <div className="entry-actions">
      <ActDialog
        button="Acknowledge"
        buttonLabel={`Acknowledge: ${asWords(kind)}, order ${orderId || 'none'}`}
        title={`Acknowledge ${usd(amount)}`}
        submit="Acknowledge"
        done="The difference is acknowledged."
        act={(form) =>
          act(OFFICE_ENDPOINTS.acknowledgeDifference, {
            params: { differenceId },
            headers: seenVersion(formText(form, 'version')),
            body: { note: formText(form, 'note').trim() },
            once: `difference ${differenceId}`,
          })
        }
      >
        {({ errors }) => (
          <>
            <SeenVersion version={version} />
            <p>
              This marks the difference as looked at. Nothing is asked of the provider, and no money moves. It
              shows again if its amount changes.
            </p>
            <FormField label="Note" name="note" errors={errors.note} />
          </>
        )}
      </ActDialog>
    </div>
  );
}
