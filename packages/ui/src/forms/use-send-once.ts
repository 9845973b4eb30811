import { type FormEvent, type MouseEvent, startTransition, useEffect, useRef, useState } from 'react';
import { PressGate } from './press-gate.ts';

type SendOnce = {
  /** Runs the task for the first press, and ignores presses until it has ended. */
  send: (event: FormEvent<HTMLFormElement>, task: () => Promise<unknown>) => void;
  /** For the form's `onClickCapture`: a submit event doesn't tell how many clicks caused it. */
  noteClick: (event: MouseEvent) => void;
};

/**
 * Sends a form once, however often it is pressed. Disabling the button isn't enough: it takes effect with the
 * next render, and a double click is faster.
 */
export function useSendOnce({
  isPending,
  hasSucceeded = false,
}: {
  /** As rendered: stays true after a success that leads to another page. */
  isPending: boolean;
  /** Whether the outcome on the screen is a success. */
  hasSucceeded?: boolean;
}): SendOnce {
  const [gate] = useState(() => new PressGate());
  const clicks = useRef(0);
  const [ended, setEnded] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has ended may change nothing else.
  useEffect(() => {
    if (isPending) gate.wait();
    else gate.open({ hasSucceeded });
  }, [gate, isPending, hasSucceeded, ended]);

  return {
    noteClick({ detail, nativeEvent }) {
      // Touch screens have no double clicks: two taps are two single clicks.
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
        // A transition, so that it never renders before the outcome: the router's updates are transitions too.
        startTransition(() => setEnded((before) => before + 1));
      });
    },
  };
}

function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}
