import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useRef } from 'react';
import { changedMe } from '../../lib/me/me-stale.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { useSavedValues } from '../../ui/act/use-saved-values.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { RefundLimits } from './refund-limits.tsx';

/** `/office/settings/franchise`: what customers read about an office, and what headquarters allow it. */
export function FranchiseScreen({ franchise }: { franchise: FranchiseSettingsPage }) {
  const { role } = useMe();
  const act = useAct();
  const readByCustomers = useRef<HTMLFormElement>(null);
  const setByHeadquarters = useRef<HTMLFormElement>(null);
  useSavedValues(readByCustomers, franchise.version);
  useSavedValues(setByHeadquarters, franchise.version);
  const save = (body: object, words?: string) =>
    act(
      OFFICE_ENDPOINTS.franchise,
      {
        params: { franchiseId: franchise.franchiseId },
        body,
        headers: { 'If-Match': `"${franchise.version}"` },
        ...(words !== undefined && { stepUp: words }),
      },
      () => {
        changedMe();
        return 'Saved.';
      },
    );
  return (
    <div className="screen">
      <OfficeTitle title={`Franchise ${franchise.franchiseId}`} />
      <Card title="What customers read">
        <ActForm
          ref={readByCustomers}
          className="act-form settings-form"
          act={(form) =>
            save({
              name: formText(form, 'name').trim(),
              phone: orNull(formText(form, 'phone')),
              email: orNull(formText(form, 'email')),
              address: orNull(formText(form, 'address')),
              timeZone: formText(form, 'timeZone').trim(),
            })
          }
        >
          {({ isPending, errors }) => (
            <>
              <FormField label="Name" name="name" defaultValue={franchise.name} errors={errors.name} />
              <FormField
                label="Phone"
                name="phone"
                type="tel"
                defaultValue={franchise.phone ?? ''}
                optional
                errors={errors.phone}
              />
              <EmailField
                autoComplete="off"
                defaultValue={franchise.email ?? ''}
                optional
                errors={errors.email}
              />
              <FormField
                label="Address"
                name="address"
                defaultValue={franchise.address ?? ''}
                optional
                errors={errors.address}
              />
              <FormField
                label="Time zone"
                name="timeZone"
                defaultValue={franchise.timeZone}
                help="Such as America/Chicago. Days in all reports go by it."
                errors={errors.timeZone}
              />
              <p className="quiet">The office's file sets name and time zone too, with each import.</p>
              <SubmitButton isPending={isPending}>Save</SubmitButton>
            </>
          )}
        </ActForm>
      </Card>
      {role === 'admin' && (
        <Card title="Set by headquarters">
          <ActForm
            ref={setByHeadquarters}
            className="act-form settings-form"
            act={(form) =>
              save(
                { maxCreditPercent: typedPercent(formText(form, 'maxCreditPercent')) },
                `Change the largest credit of ${franchise.name}`,
              )
            }
          >
            {({ isPending, errors }) => (
              <>
                <FormField
                  label="Largest credit"
                  name="maxCreditPercent"
                  inputMode="numeric"
                  autoComplete="off"
                  defaultValue={franchise.maxCreditPercent}
                  help="The most a payer may take off an invoice, in percent."
                  errors={errors.maxCreditPercent}
                />
                <SubmitButton className="btn btn-outline" isPending={isPending}>
                  Save the largest credit
                </SubmitButton>
              </>
            )}
          </ActForm>
          <RefundLimits
            franchise={franchise}
            save={(body) => save(body, `Change the refund limits of ${franchise.name}`)}
          />
        </Card>
      )}
    </div>
  );
}

/** An invalid one is sent as typed, so that the server says what is wrong. */
function typedPercent(text: string): number | string {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : text.trim();
}

/** An emptied field removes the phone number, email or address. */
function orNull(text: string): string | null {
  return text.trim() || null;
}
