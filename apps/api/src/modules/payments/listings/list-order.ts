/** How many of the last rows read must be old before the reading counts as past a date. */
const TAIL = 10;
const LEAST_DATED = 3;
/** The merchant's clock goes back an hour in autumn. */
const TOLERANCE_MILLISECONDS = 2 * 60 * 60 * 1000;

/**
 * How far back a list reaches, newest first, by clocks without a time zone. Rows without a time are ignored, and a few
 * wrong times change nothing. A list that isn't newest first never counts as past a date: it must be read to its end.
 */
export class ListOrder {
  newest: Date | null = null;
  #tail: (Date | null)[] = [];
  /** The lowest time that a whole tail has reached. */
  #reached = Number.POSITIVE_INFINITY;
  #isNewestFirst = true;
  #stepsDown = 0;
  #stepsUp = 0;
  #last: Date | null = null;

  add(times: (Date | null)[]): void {
    for (const time of times) {
      if (time) this.#addTime(time);
      this.#tail = [...this.#tail, time].slice(-TAIL);
      const dated = this.#dated();
      if (dated.length >= LEAST_DATED) this.#reached = Math.min(this.#reached, Math.max(...dated));
    }
  }

  isPast(back: Date): boolean {
    const dated = this.#dated();
    const isSorted = this.#isNewestFirst && this.#stepsUp <= this.#stepsDown;
    return isSorted && dated.length >= LEAST_DATED && dated.every((time) => time < back.getTime());
  }

  #addTime(time: Date): void {
    if (time.getTime() > this.#reached + TOLERANCE_MILLISECONDS) this.#isNewestFirst = false;
    if (this.#last && time < this.#last) this.#stepsDown++;
    if (this.#last && time > this.#last) this.#stepsUp++;
    this.#last = time;
    if (!this.newest || time > this.newest) this.newest = time;
  }

  #dated(): number[] {
    return this.#tail.filter((time) => time !== null).map((time) => time.getTime());
  }
}
