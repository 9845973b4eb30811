import { type FormEvent, type MouseEvent, startTransition, useEffect, useRef, useState } from 'react';
import { PressGate } from './press-gate.ts';

type SendOnce = {
  /** Runs the task for the first press and for none that comes before it has ended. */
  send: (event: FormEvent<HTMLFormElement>, task: () => Promise<unknown>) => void;
  /** For the form's `onClickCapture`: the submission that follows a click does not say what kind of click it was. */
  noteClick: (event: MouseEvent) => void;
};

/**
 * Sends a form once for each press, however often the press is repeated. What is disabled or hidden comes with the next
 * rendering, which a double click does not wait for.
 */
export function useSendOnce({
  isPending,
  hasSucceeded = false,
}: {
  /** As drawn: stays true after a success that leads to another page. */
  isPending: boolean;
  /** Whether the outcome on the screen is a success. */
  hasSucceeded?: boolean;
}): SendOnce {
  const [gate] = useState(() => new PressGate());
  const clicks = useRef(0);
  const [ended, setEnded] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has ended may change nothing else.
  useEffect(() => {
    if (!isPending) gate.open({ hasSucceeded });
  }, [gate, isPending, hasSucceeded, ended]);

  return {
    noteClick({ detail, nativeEvent }) {
      // Fingers do not double click: two taps are two single clicks.
      const isTouch = (nativeEvent as PointerEvent).pointerType === 'touch';
      clicks.current = isTouch && detail < 2 ? 0 : detail;
    },
    send(event, task) {
      event.preventDefault();
      const press = {
        time: event.timeStamp,
        clicks: clicks.current,
        content: contentOf(event.currentTarget),
      };
      clicks.current = 0;
      if (!gate.enter(press)) return;
      void task().finally(() => {
        gate.end();
        // With the outcome or after it, never before: the router draws its changes as transitions too.
        startTransition(() => setEnded((before) => before + 1));
      });
    },
  };
}

function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}
