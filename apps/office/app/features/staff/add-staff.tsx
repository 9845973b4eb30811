import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { useMe } from '../../lib/me/use-me.ts';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { readStaffFields, StaffFields } from './staff-fields.tsx';

/** **Add staff**: mails a link to the address. */
export function AddStaff() {
  const { franchises } = useMe();
  const act = useAct();
  const only = franchises.length === 1 ? franchises.map(({ franchiseId }) => franchiseId) : [];
  return (
    <ActDialog
      button="Add staff"
      className="btn btn-primary"
      title="Add staff"
      submit="Send the link"
      done={null}
      act={(form) => {
        const email = formText(form, 'email').trim();
        return act(
          OFFICE_ENDPOINTS.addStaff,
          {
            body: { email, ...readStaffFields(form) },
            once: 'add-staff',
            stepUp: `Add ${email} to the staff`,
          },
          () => `A link goes to ${email}.`,
        );
      }}
    >
      {({ errors }) => (
        <>
          <EmailField errors={errors.email} autoComplete="off" />
          <StaffFields present="clerk" franchiseIds={only} errors={errors} />
        </>
      )}
    </ActDialog>
  );
}
