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
import { seenVersion } from '../../lib/seen-version.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { useSavedValues } from '../../ui/act/use-saved-values.ts';
import { LinesField } from '../../ui/fields/lines-field.tsx';
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
  const shown = shownTexts(franchise);
  const save = (body: object, words?: string) =>
    act(
      OFFICE_ENDPOINTS.franchise,
      {
        params: { franchiseId: franchise.franchiseId },
        body,
        headers: seenVersion(franchise.version),
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
          act={(form) => save(changedTexts(form, shown))}
        >
          {({ isPending, errors }) => (
            <>
              <FormField label="Name" name="name" defaultValue={shown.name} errors={errors.name} />
              <FormField
                label="Phone"
                name="phone"
                type="tel"
                defaultValue={shown.phone}
                optional
                errors={errors.phone}
              />
              <EmailField autoComplete="off" defaultValue={shown.email} optional errors={errors.email} />
              <LinesField
                label="Address"
                name="address"
                rows={3}
                defaultValue={shown.address}
                optional
                errors={errors.address}
              />
              <FormField
                label="Time zone"
                name="timeZone"
                defaultValue={shown.timeZone}
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

type Texts = Record<'name' | 'phone' | 'email' | 'address' | 'timeZone', string>;

/** The fields' texts as they are shown. */
function shownTexts({ name, phone, email, address, timeZone }: FranchiseSettingsPage): Texts {
  return { name, phone: phone ?? '', email: email ?? '', address: inLines(address ?? ''), timeZone };
}

/** Only the fields that differ from what was shown. An emptied one removes the phone number, email or address. */
function changedTexts(form: FormData, shown: Texts): Record<string, string | null> {
  const typed = Object.keys(shown).map((name) => [name, inLines(formText(form, name))] as const);
  const changed = typed.filter(([name, text]) => text !== shown[name as keyof Texts]);
  return Object.fromEntries(
    changed.map(([name, text]) => [name, text.trim() || (REQUIRED.includes(name) ? '' : null)]),
  );
}

const REQUIRED = ['name', 'timeZone'];

/** With the line breaks of a `textarea`: a program may have stored others. */
function inLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
