import type { FranchiseSettingsPage, KeysTest } from '@brightpane/contract/office/settings';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useRef, useState } from 'react';
import { callOffice } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { seenVersion } from '../../lib/seen-version.ts';
import { formatInstantDay } from '../../lib/times.ts';
import { ActForm, DONE } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';

type Keys = { apiKey: string; pin: string; publicKey: string };

const KEY_FIELDS: [name: keyof Keys, label: string][] = [
  ['apiKey', 'API key'],
  ['pin', 'PIN'],
  ['publicKey', 'Public key'],
];

/** `/office/settings/merchant-account`: the card provider's account that receives an office's payments. */
export function MerchantAccountScreen({ franchise }: { franchise: FranchiseSettingsPage }) {
  const { franchiseId, name, timeZone, merchantAccount, version } = franchise;
  const [tested, setTested] = useState<(KeysTest & { keys: Keys }) | null>(null);
  const act = useAct();
  const form = useRef<HTMLFormElement>(null);
  const params = { franchiseId };
  async function testOrSave(data: FormData): Promise<ActionResult> {
    const keys = readKeys(data);
    const isTest = data.get('intent') === 'test';
    // Only **Save anyway** saves keys that failed the test, and only those: they may be changed while it runs.
    const isAnyway = data.get('intent') === 'anyway' && tested !== null && isSame(keys, tested.keys);
    if (!isAnyway) {
      const answer = await callOffice<KeysTest>(OFFICE_ENDPOINTS.testKeys, { params, body: keys });
      if (!answer.ok) return refusedResult(answer.problem);
      setTested({ ...answer.data, keys });
      if (isTest || !answer.data.works) return DONE;
    }
    return act(
      OFFICE_ENDPOINTS.franchise,
      {
        params,
        body: { gateway: keys },
        headers: seenVersion(version),
        stepUp: `Replace the keys of ${name}`,
      },
      () => {
        setTested(null);
        // Don't leave secrets on the screen.
        form.current?.reset();
        return 'The keys were replaced.';
      },
    );
  }
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
        <ActForm ref={form} className="act-form settings-form" act={testOrSave}>
          {({ isPending, errors }) => (
            <>
              {tested && !isPending && (
                <Alert tone={tested.works ? 'success' : 'warning'} of={tested}>
                  {tested.words}
                </Alert>
              )}
              {KEY_FIELDS.map(([name, label]) => (
                <FormField
                  key={name}
                  label={label}
                  name={name}
                  // A key is pasted, not shown and not stored by the browser.
                  type={name === 'publicKey' ? 'text' : 'password'}
                  autoComplete="off"
                  spellCheck={false}
                  errors={errors[`gateway.${name}`] ?? errors[name]}
                  onChange={() => setTested(null)}
                />
              ))}
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

function readKeys(form: FormData): Keys {
  const text = (name: string) => formText(form, name).trim();
  return { apiKey: text('apiKey'), pin: text('pin'), publicKey: text('publicKey') };
}

const isSame = (keys: Keys, others: Keys): boolean =>
  KEY_FIELDS.every(([name]) => keys[name] === others[name]);
