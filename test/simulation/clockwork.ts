interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void | Promise<void>;
}

/**
 * The virtual clock and everything that is going to happen. Time moves from one event to the next and never by itself;
 * the next event begins when all that the last one set off has come to rest, so that the order is the seed's alone.
 */
export class Clockwork {
  #nowMs: number;
  #order = 0;
  /** A binary heap: the earliest event is the first. */
  readonly #events: Event[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  /** Epoch milliseconds, whole as those of `Date.now`. */
  readonly now = (): number => Math.floor(this.#nowMs);

  at(atMs: number, run: Event['run']): void {
    this.#order += 1;
    const event = { atMs: Math.max(atMs, this.#nowMs), order: this.#order, run };
    const events = this.#events;
    let place = events.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = events[parent];
      if (!above || isBefore(above, event)) break;
      events[place] = above;
      place = parent;
    }
    events[place] = event;
  }

  after(delayMs: number, run: Event['run']): void {
    this.at(this.#nowMs + delayMs, run);
  }

  /**
   * Runs until nothing is going to happen any more.
   *
   * @param mostEvents more of them than this is a loop
   * @param isOver asked before each event
   */
  async run(mostEvents: number, isOver: () => boolean): Promise<void> {
    for (let count = 0; this.#events.length > 0 && !isOver(); count += 1) {
      if (count === mostEvents) throw new Error(`it does not come to an end within ${mostEvents} events`);
      const event = this.#takeFirst();
      this.#nowMs = event.atMs;
      await event.run();
      // All that waits for nothing outside has run before the next macrotask.
      await new Promise(setImmediate);
    }
  }

  #takeFirst(): Event {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (!first || !last) throw new Error('nothing is going to happen');
    if (events.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const left = events[child];
      if (!left) break;
      const right = events[child + 1];
      if (right && isBefore(right, left)) child += 1;
      const earlier = right && isBefore(right, left) ? right : left;
      if (isBefore(last, earlier)) break;
      events[place] = earlier;
      place = child;
    }
    events[place] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
