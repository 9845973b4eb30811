import { FormField } from '@brightpane/ui/forms/form-field.tsx';

/** The reason for an act, for readers of the refund's timeline. */
export function NoteField({ errors }: { errors: string[] | undefined }) {
  return <FormField label="Note" name="note" errors={errors} />;
}
