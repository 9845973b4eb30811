import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult, FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { type ReactNode, useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { logOut } from '../auth/log-out.ts';

/** A form of the account page with its outcome. A failure keeps what was typed, except passwords. */
export function AccountForm({
  intent,
  submit,
  className = 'btn btn-primary',
  beside,
  hidden = {},
  children,
}: {
  intent: string;
  /** The button's text. */
  submit: ReactNode;
  className?: string;
  /** Beside the button. */
  beside?: ReactNode;
  hidden?: Record<string, string>;
  children?: (errors: FieldErrors) => ReactNode;
}) {
  const fetcher = useFetcher<ActionResult>();
  const form = useRef<HTMLFormElement>(null);
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  // A result that leads elsewhere is on its way there.
  const isPending = fetcher.state !== 'idle' || result?.goTo !== undefined;
  // Sign out of this browser before navigating: /login is only for signed-out people.
  useEffect(() => {
    if (result?.goTo) logOut();
  }, [result]);
  useGoTo(result);
  useEffect(() => {
    if (result) forgetPasswords(form.current);
  }, [result]);
  return (
    <>
      <OutcomeAlert result={result} />
      <FetcherForm ref={form} fetcher={fetcher} className="account-form">
        <input type="hidden" name="intent" value={intent} />
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children?.(result?.fieldErrors ?? {})}
        <div className="button-row">
          <SubmitButton className={className} isPending={isPending}>
            {submit}
          </SubmitButton>
          {beside}
        </div>
      </FetcherForm>
    </>
  );
}

function forgetPasswords(form: HTMLFormElement | null): void {
  for (const input of form?.querySelectorAll<HTMLInputElement>('input[autocomplete$="-password"]') ?? []) {
    input.value = '';
  }
}
