import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { type AccountSender, useAccountSender } from './use-account-sender.ts';

type FormProps = {
  intent: string;
  /** The button's text. */
  submit: ReactNode;
  className?: string;
  /** Beside the button. */
  beside?: ReactNode;
  hidden?: Record<string, string>;
  children?: (errors: FieldErrors) => ReactNode;
};

/** A form of the account page with its outcome. */
export function AccountForm(form: FormProps) {
  const sender = useAccountSender();
  return (
    <>
      <OutcomeAlert result={sender.result} />
      <SentForm {...form} sender={sender} />
    </>
  );
}

/**
 * A form whose region shows the outcome, because success takes the form away. A failure keeps what was typed, except
 * passwords.
 */
export function SentForm({
  sender,
  intent,
  submit,
  className = 'btn btn-primary',
  beside,
  hidden = {},
  children,
}: FormProps & { sender: AccountSender }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { fetcher, isPending, sentForm, setSentForm } = sender;
  const isOwn = sentForm === id;
  const result = isOwn ? sender.result : undefined;
  useEffect(() => {
    if (result) forgetPasswords(form.current);
  }, [result]);
  return (
    <FetcherForm ref={form} fetcher={fetcher} className="account-form" onSend={() => setSentForm(id)}>
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children?.(result?.fieldErrors ?? {})}
      <div className="button-row">
        <SubmitButton className={className} isPending={isPending && isOwn} disabled={isPending}>
          {submit}
        </SubmitButton>
        {beside}
      </div>
    </FetcherForm>
  );
}

function forgetPasswords(form: HTMLFormElement | null): void {
  for (const input of form?.querySelectorAll<HTMLInputElement>('input[autocomplete$="-password"]') ?? []) {
    input.value = '';
  }
}
