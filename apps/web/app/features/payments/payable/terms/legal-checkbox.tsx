import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import { TermsLink } from '../../../../ui/terms-link.tsx';
import { TERMS_LABELS, type WorkToAccept } from './work-to-accept.ts';

/** The terms of this payment, which have to be accepted before paying. */
export function LegalCheckbox({
  work,
  accepted,
  onChange,
  errors,
}: {
  work: WorkToAccept;
  accepted: boolean;
  onChange: (accepted: boolean) => void;
  errors?: string[] | undefined;
}) {
  return (
    <>
      <Checkbox
        name="legalAccepted"
        checked={accepted}
        required
        errors={errors}
        onChange={(event) => onChange(event.target.checked)}
        label={TERMS_LABELS[work]}
      />
      <p className="terms-link">
        <TermsLink>Read the terms (opens a new tab)</TermsLink>
      </p>
    </>
  );
}
