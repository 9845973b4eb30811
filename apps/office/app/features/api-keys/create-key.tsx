import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { KEY_RIGHTS } from '@brightpane/contract/office-rights';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { rightsWords } from '../../lib/me/right-words.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { CheckboxList } from '../../ui/fields/checkbox-list.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';

/** **Create key**. The new key is shown once. */
export function CreateKey({ onCreated }: { onCreated: (key: string) => void }) {
  const { franchises } = useMe();
  const act = useAct();
  return (
    <ActDialog
      button="Create key"
      className="btn btn-primary"
      title="Create key"
      done={null}
      act={(form) => {
        const name = formText(form, 'name').trim();
        const franchiseId = formText(form, 'franchiseId');
        return act<{ key: string }>(
          OFFICE_ENDPOINTS.addApiKey,
          {
            body: {
              name,
              franchiseId: franchiseId === '' ? null : Number(franchiseId),
              rights: form.getAll('rights'),
            },
            once: 'create-key',
            stepUp: `Create the key "${name}"`,
          },
          ({ key }) => {
            onCreated(key);
            return undefined;
          },
        );
      }}
    >
      {({ errors }) => (
        <>
          <FormField
            label="Name"
            name="name"
            autoComplete="off"
            help="What calls with it, such as Nightly import."
            errors={errors.name}
          />
          <SelectField
            label="Franchise"
            name="franchiseId"
            options={[
              { value: '', text: 'All franchises' },
              ...franchises.map(({ franchiseId, name }) => ({
                value: String(franchiseId),
                text: `${franchiseId} ${name}`,
              })),
            ]}
            help="A key of its own for each office is safer than one for all."
            errors={errors.franchiseId}
          />
          <CheckboxList
            legend="Rights"
            name="rights"
            choices={KEY_RIGHTS.map((right) => ({ value: right, text: rightsWords([right]) }))}
            chosen={[]}
            errors={errors.rights}
          />
        </>
      )}
    </ActDialog>
  );
}
