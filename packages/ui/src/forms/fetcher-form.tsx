import type { FormEvent, ReactNode, Ref } from 'react';
import type { FetcherWithComponents } from 'react-router';
import type { ActionResult } from '../outcomes/action-result.ts';
import { useSendOnce } from './use-send-once.ts';

/** A form that posts to its own page. However often it is pressed, it is sent once until the answer is shown. */
export function FetcherForm({
  fetcher,
  className = '',
  ref = null,
  onSend,
  children,
}: {
  fetcher: FetcherWithComponents<ActionResult | undefined>;
  className?: string;
  ref?: Ref<HTMLFormElement>;
  /** Called only for presses that send the form. */
  onSend?: () => void;
  children: ReactNode;
}) {
  const { state, data } = fetcher;
  const isPending = state !== 'idle' || data?.goTo !== undefined;
  const { send, noteClick } = useSendOnce({ isPending, hasSucceeded: data?.success === true });

  function submit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const target = (submitter as HTMLButtonElement | null) ?? event.currentTarget;
    send(event, () => {
      onSend?.();
      // Rendered as sent before anything else can be pressed: Escape would close a dialog around it.
      return fetcher.submit(target, { method: 'post', flushSync: true });
    });
  }

  return (
    <fetcher.Form ref={ref} method="post" className={className} onClickCapture={noteClick} onSubmit={submit}>
      {children}
    </fetcher.Form>
  );
}
