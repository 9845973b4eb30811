import type { FranchiseSettingsPage, KeysTest } from '@brightpane/contract/office/settings';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useRef, useState } from 'react';
import { callOffice } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { formatInstantDay } from '../../lib/times.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';

/** `/office/settings/merchant-account`: the card provider's account that receives an office's payments. */
export function MerchantAccountScreen({ franchise }: { franchise: FranchiseSettingsPage }) {
  const { franchiseId, name, timeZone, merchantAccount, version } = franchise;
  const [tested, setTested] = useState<KeysTest | null>(null);
  const act = useAct();
  const form = useRef<HTMLFormElement>(null);
  const params = { franchiseId };
  const test = (body: object) => callOffice<KeysTest>(OFFICE_ENDPOINTS.testKeys, { params, body });
  return (
    <div className="screen">
      <OfficeTitle title="Merchant account" />
      <Card title={name}>
        <dl className="facts">
          <dt>Account</dt>
          <dd>{merchantAccount.kind === 'own' ? 'Its own' : "The portal's"}</dd>
          <dt>Public key</dt>
          <dd>{merchantAccount.publicKey}</dd>
          <dt>Since</dt>
          <dd>{formatInstantDay(merchantAccount.since, timeZone)}</dd>
        </dl>
      </Card>
      <Card title="Replace keys">
        <ActForm
          ref={form}
          className="act-form settings-form"
          act={async (data) => {
            const keys = readKeys(data);
            const isTest = data.get('intent') === 'test';
            // Only **Save anyway** saves keys that failed the test.
            if (isTest || data.get('intent') === 'save') {
              const answer = await test(keys);
              if (!answer.ok) return refusedResult(answer.problem);
              setTested(answer.data);
              if (isTest || !answer.data.works) return { success: true, message: '' };
            }
            return act(
              OFFICE_ENDPOINTS.franchise,
              {
                params,
                body: { gateway: keys },
                headers: { 'If-Match': `"${version}"` },
                stepUp: `Replace the keys of ${name}`,
              },
              () => {
                setTested(null);
                // Don't leave secrets on the screen.
                form.current?.reset();
                return 'The keys were replaced.';
              },
            );
          }}
        >
          {({ isPending, errors }) => (
            <>
              {tested && !isPending && (
                <Alert tone={tested.works ? 'success' : 'warning'} of={tested}>
                  {tested.words}
                </Alert>
              )}
              <KeyField label="API key" name="apiKey" errors={errors['gateway.apiKey'] ?? errors.apiKey} />
              <KeyField label="PIN" name="pin" errors={errors['gateway.pin'] ?? errors.pin} />
              <KeyField
                label="Public key"
                name="publicKey"
                errors={errors['gateway.publicKey'] ?? errors.publicKey}
              />
              <p className="quiet">
                The test asks the provider for one listing and moves no money. Payments under way end on the
                account on which they began.
              </p>
              <div className="button-row">
                <SubmitButton name="intent" value="save" isPending={isPending}>
                  Replace keys
                </SubmitButton>
                <SubmitButton className="btn btn-outline" name="intent" value="test" isPending={isPending}>
                  Test keys
                </SubmitButton>
                {tested?.works === false && (
                  <SubmitButton className="btn btn-danger" name="intent" value="anyway" isPending={isPending}>
                    Save anyway
                  </SubmitButton>
                )}
              </div>
            </>
          )}
        </ActForm>
      </Card>
    </div>
  );
}

/** A key is pasted, not shown and not stored by the browser. */
function KeyField({ label, name, errors }: { label: string; name: string; errors: string[] | undefined }) {
  return (
    <FormField
      label={label}
      name={name}
      type={name === 'publicKey' ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      errors={errors}
    />
  );
}

function readKeys(form: FormData): { apiKey: string; pin: string; publicKey: string } {
  const text = (name: string) => formText(form, name).trim();
  return { apiKey: text('apiKey'), pin: text('pin'), publicKey: text('publicKey') };
}
