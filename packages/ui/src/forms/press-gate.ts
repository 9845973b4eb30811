/** One press of a form's button, by mouse, touch or key. */
export type Press = {
  /** The event's timestamp in milliseconds. */
  time: number;
  /** The browser's click count (2 for a double click); 0 if it wasn't a mouse. */
  clicks: number;
  /** The form's content. */
  content: string;
};

/** A second press this soon is an echo: a double tap, or a key that bounced or was held down. */
const ECHO_MILLISECONDS = 500;

/**
 * Lets one press of a form through and closes at once, before the next render. It opens again when the call
 * has ended and its outcome is on the screen.
 */
export class PressGate {
  #state: 'open' | 'sending' | 'ended' = 'open';
  /** What the screen has shown of the current press so far. */
  #shown: 'nothing' | 'pending' | 'outcome' = 'nothing';
  #last: Press | null = null;
  #hasSucceeded = false;

  /** Whether to send this press. */
  enter(press: Press): boolean {
    const isEcho = this.#isEcho(press);
    this.#last = press;
    if (this.#state !== 'open' || isEcho) return false;
    this.#state = 'sending';
    this.#shown = 'nothing';
    return true;
  }

  /** Call it when the screen shows that a call is under way. */
  wait(): void {
    this.#shown = 'pending';
  }

  /** Opens at once if the outcome is already on the screen: a press of the button shown there must count. */
  end(): void {
    this.#state = this.#shown === 'outcome' ? 'open' : 'ended';
  }

  /** Call it with every outcome that keeps the form on the screen. Does nothing while a call is under way. */
  open({ hasSucceeded }: { hasSucceeded: boolean }): void {
    if (this.#state === 'open' || (this.#state === 'sending' && this.#shown === 'nothing')) return;
    this.#shown = 'outcome';
    this.#hasSucceeded = hasSucceeded;
    if (this.#state === 'ended') this.#state = 'open';
  }

  /** The answer may come between the halves of a double click. After a failure, a single click is a new try. */
  #isEcho({ time, clicks, content }: Press): boolean {
    if (clicks > 1) return true;
    const isSoon = this.#last !== null && time - this.#last.time < ECHO_MILLISECONDS;
    if (!isSoon || content !== this.#last?.content) return false;
    return clicks === 0 || this.#hasSucceeded;
  }
}
