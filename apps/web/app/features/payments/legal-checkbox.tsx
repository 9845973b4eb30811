import { Checkbox } from '../../ui/checkbox.tsx';

/** The terms of this payment; nothing is paid before they are accepted. */
export function LegalCheckbox({
  accepted,
  onChange,
  errors,
}: {
  accepted: boolean;
  onChange: (accepted: boolean) => void;
  errors?: string[] | undefined;
}) {
  return (
    <Checkbox
      name="legalAccepted"
      checked={accepted}
      required
      errors={errors}
      onChange={(event) => onChange(event.target.checked)}
      label="I accept the terms: the work was done, and my card may be charged the total shown."
    />
  );
}
