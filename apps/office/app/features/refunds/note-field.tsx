import { FormField } from '@brightpane/ui/forms/form-field.tsx';

/** Why something is done about a refund: whoever reads its timeline wants to know. */
export function NoteField({ errors }: { errors: string[] | undefined }) {
  return <FormField label="Note" name="note" maxLength={1000} errors={errors} />;
}
