/** One press of a form's button, by mouse, finger or key. */
export type Press = {
  /** By the event's own clock, in milliseconds. */
  time: number;
  /** Its place in a series of quick clicks on one spot, as the browser counts them; 0 where no mouse pressed. */
  clicks: number;
  /** What the form holds. */
  content: string;
};

/** A second press this soon is the first one's echo: a double tap, or a key that bounced or was held. */
const ECHO_MS = 500;

/**
 * Lets one press of a form through and is shut at once, before anything is drawn. It opens when what was sent has
 * ended and its outcome is on the screen.
 */
export class PressGate {
  #state: 'open' | 'sending' | 'ended' = 'open';
  #last: Press | null = null;
  #hasSucceeded = false;

  /** Whether this press is to be sent. */
  enter(press: Press): boolean {
    const isEcho = this.#isEcho(press);
    this.#last = press;
    if (this.#state !== 'open' || isEcho) return false;
    this.#state = 'sending';
    return true;
  }

  end(): void {
    this.#state = 'ended';
  }

  /** To be called with every outcome that leaves the form on the screen. Does nothing while something is under way. */
  open({ hasSucceeded }: { hasSucceeded: boolean }): void {
    if (this.#state !== 'ended') return;
    this.#state = 'open';
    this.#hasSucceeded = hasSucceeded;
  }

  /** The answer may come between the two halves of a double click. After a failure a single click means it again. */
  #isEcho({ time, clicks, content }: Press): boolean {
    if (clicks > 1) return true;
    const isSoon = this.#last !== null && time - this.#last.time < ECHO_MS;
    if (!isSoon || content !== this.#last?.content) return false;
    return clicks === 0 || this.#hasSucceeded;
  }
}
