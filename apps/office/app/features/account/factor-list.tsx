import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { Card } from '@brightpane/ui/page/card.tsx';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OwnTime } from '../../ui/facts/own-time.tsx';
import { AddFactor } from '../auth/factors/add-factor.tsx';

type Factor = Account['factors'][number];

const KINDS = { passkey: 'Passkey', totp: 'Authenticator app' };

/** **Passkeys and apps**: the person's second factors. */
export function FactorList({ factors }: { factors: Factor[] }) {
  return (
    <Card
      title="Passkeys and apps"
      aside={<AddFactorButton hasApp={factors.some(({ kind }) => kind === 'totp')} />}
    >
      {factors.length === 0 && <p className="quiet">No passkey and no app yet.</p>}
      <ul className="entries">
        {factors.map((factor) => (
          <FactorEntry key={factor.factorId} factor={factor} />
        ))}
      </ul>
    </Card>
  );
}

function FactorEntry({ factor: { factorId, kind, name, createdAt, lastUsedAt } }: { factor: Factor }) {
  const act = useAct();
  return (
    <li className="entry">
      <div>
        <strong>{name}</strong>
        <p className="quiet">
          {KINDS[kind]}, added <OwnTime at={createdAt} />
          {lastUsedAt && (
            <>
              , last used <OwnTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div className="entry-actions">
        <ActDialog
          button="Rename"
          buttonLabel={`Rename ${name}`}
          title={`Rename ${name}`}
          submit="Save"
          done="The name is saved."
          act={(form) =>
            act(OFFICE_ENDPOINTS.renameFactor, {
              params: { factorId },
              body: { name: formText(form, 'name').trim() },
            })
          }
        >
          {({ errors }) => <FormField label="Name" name="name" defaultValue={name} errors={errors.name} />}
        </ActDialog>
        <ActDialog
          button="Remove"
          buttonLabel={`Remove ${name}`}
          title={`Remove ${name}?`}
          submit="Remove"
          done={`${name} is removed.`}
          isDanger
          act={() => act(OFFICE_ENDPOINTS.removeFactor, { params: { factorId }, stepUp: `Remove "${name}"` })}
        >
          <p>It will not open the console any more.</p>
        </ActDialog>
      </div>
    </li>
  );
}

function AddFactorButton({ hasApp }: { hasApp: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const { revalidate } = useRevalidator();
  return (
    <>
      <button type="button" className="btn btn-outline" onClick={() => setIsOpen(true)}>
        Add
      </button>
      <Dialog title="Add a passkey or an app" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {isOpen && (
          <>
            <AddFactor
              hasApp={hasApp}
              asksName
              stepUp="Add a passkey or an app to your account"
              onAdded={async () => {
                setIsOpen(false);
                await revalidate();
              }}
            />
            <CancelButton />
          </>
        )}
      </Dialog>
    </>
  );
}
