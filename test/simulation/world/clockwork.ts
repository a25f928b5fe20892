interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void | Promise<void>;
}

/**
 * The virtual clock and the queue of future events. Time advances only from one event to the next. An event begins only
 * after all work of the previous one has settled, so that the seed alone decides the order.
 */
export class Clockwork {
  #nowMs: number;
  #order = 0;
  /** A binary heap: the earliest event is the first. */
  readonly #events: Event[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  /** Whole epoch milliseconds, like `Date.now`. */
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
   * Runs until no event is left.
   *
   * @param maxEvents more events than this are taken for an endless loop
   * @param isOver checked before each event; `true` ends the run
   * @throws Error after `maxEvents` events
   */
  async run(maxEvents: number, isOver: () => boolean): Promise<void> {
    for (let count = 0; this.#events.length > 0 && !isOver(); count += 1) {
      if (count === maxEvents) throw new Error(`the run does not end within ${maxEvents} events`);
      const event = this.#takeFirst();
      this.#nowMs = event.atMs;
      await event.run();
      // Everything that waits for no I/O runs before the next macrotask.
      await new Promise(setImmediate);
    }
  }

  #takeFirst(): Event {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (!first || !last) throw new Error('no event is left');
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
