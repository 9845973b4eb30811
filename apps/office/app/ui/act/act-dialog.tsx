import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { type ReactNode, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { ActForm, type ActState } from './act-form.tsx';
import { useSayDone } from './done-notice.tsx';

/**
 * A button that opens a dialog with one act: what it does, its fields, its button, **Cancel**. Success closes the
 * dialog; a refusal keeps it open with what was typed, and closing it then reloads the screen, which may be outdated.
 */
export function ActDialog({
  button,
  buttonLabel,
  className = 'btn btn-outline',
  title,
  submit,
  isDanger = false,
  done,
  act,
  children,
}: {
  /** The text of the button that opens it. */
  button: string;
  /** The accessible name, where a screen has several: "Remove Laptop". */
  buttonLabel?: string;
  className?: string;
  title: string;
  /** The text of the act's own button; the default is `button`. */
  submit?: string;
  isDanger?: boolean;
  /**
   * Said after a success: what the server's answer means, and no more. Null if the act returns words of its own, or if the
   * screen itself shows it.
   */
  done: string | null;
  act: (form: FormData) => Promise<ActionResult>;
  children?: ReactNode | ((state: ActState) => ReactNode);
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [openedTitle, setOpenedTitle] = useState(title);
  const sayDone = useSayDone();
  const { revalidate } = useRevalidator();
  const wasRefused = useRef(false);
  function open() {
    // What is loaded behind the dialog must not change what its title asks.
    setOpenedTitle(title);
    setIsOpen(true);
  }
  function close() {
    setIsOpen(false);
    if (wasRefused.current) void revalidate();
    wasRefused.current = false;
  }
  return (
    <>
      <button type="button" className={className} aria-label={buttonLabel} onClick={open}>
        {button}
      </button>
      <Dialog title={openedTitle} isOpen={isOpen} onClose={close}>
        {isOpen && (
          <ActForm
            act={async (form) => {
              const result = await act(form);
              wasRefused.current = !result.success;
              if (result.success) {
                close();
                const words = result.message || done;
                if (words) sayDone(words);
              }
              return result;
            }}
          >
            {(state) => (
              <>
                {typeof children === 'function' ? children(state) : children}
                <div className="button-row">
                  <SubmitButton
                    className={isDanger ? 'btn btn-danger' : 'btn btn-primary'}
                    isPending={state.isPending}
                  >
                    {submit ?? button}
                  </SubmitButton>
                  <CancelButton />
                </div>
              </>
            )}
          </ActForm>
        )}
      </Dialog>
    </>
  );
}
