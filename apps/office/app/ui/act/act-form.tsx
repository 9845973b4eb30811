import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import type { ActionResult, FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export type ActState = { isPending: boolean; errors: FieldErrors };

/**
 * A form that does one act and shows the server's answer, never an optimistic result. However often it is pressed, it is
 * sent once; a failure keeps what was typed. `act` makes the call and handles its success.
 */
export function ActForm({
  act,
  className = 'act-form',
  ref = null,
  label,
  children,
}: {
  act: (form: FormData) => Promise<ActionResult>;
  className?: string;
  ref?: Ref<HTMLFormElement>;
  /** Names the form where a screen has several. */
  label?: string;
  children: (state: ActState) => ReactNode;
}) {
  const [isPending, setIsPending] = useState(false);
  const [result, setResult] = useState<ActionResult | undefined>();
  const { send, noteClick } = useSendOnce({ isPending, hasSucceeded: result?.success === true });
  const shown = isPending ? undefined : result;
  const box = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLFormElement);
  const [isOnlyAtField, setIsOnlyAtField] = useState(false);
  // A message already shown under its field isn't shown again above. A layout effect, so that it never flashes.
  useLayoutEffect(() => {
    const faults = Object.values(result?.fieldErrors ?? {}).flat();
    setIsOnlyAtField(faultyFieldIn(box.current) !== null && faults.includes(result?.message ?? ''));
  }, [result]);
  // After the notice, if there is one, has taken the focus.
  useEffect(() => {
    if (result) faultyFieldIn(box.current)?.focus();
  }, [result]);

  // Forget a success when another form is submitted, so that a screen never shows "Saved." twice.
  const isSuccess = result?.success === true;
  useEffect(() => {
    if (!isSuccess) return;
    const forget = ({ target }: Event) => {
      if (target !== box.current) setResult(undefined);
    };
    document.addEventListener('submit', forget);
    return () => document.removeEventListener('submit', forget);
  }, [isSuccess]);

  async function run(form: FormData): Promise<void> {
    setIsPending(true);
    try {
      setResult(await act(form));
    } finally {
      setIsPending(false);
    }
  }

  return (
    <form
      ref={box}
      className={className}
      aria-label={label}
      onClickCapture={noteClick}
      onSubmit={(event) => {
        // Includes the pressed button's name and value.
        const { submitter } = event.nativeEvent as SubmitEvent;
        const form = new FormData(event.currentTarget, submitter);
        send(event, () => run(form));
      }}
    >
      <OutcomeAlert result={isOnlyAtField ? undefined : shown} />
      {children({ isPending, errors: shown?.fieldErrors ?? {} })}
    </form>
  );
}

const faultyFieldIn = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;

/** An act that succeeded and needs no message. */
export const DONE: ActionResult = { success: true, message: '' };

export function done(message: string): ActionResult {
  return { success: true, message };
}
