/** Rows at the end of what was read that have to be old before everything after them counts as old. */
const TAIL = 10;
const LEAST_DATED = 3;
/** The merchant's clock goes back an hour in autumn. */
const TOLERANCE_MILLISECONDS = 2 * 60 * 60 * 1000;

/**
 * How far back the rows of a list reach, newest first, by clocks without a zone. A row without a time is neither young
 * nor old, and a few rows with a wrong time change nothing. A list that isn't newest first reaches back to no time:
 * it has to be read to its end.
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
