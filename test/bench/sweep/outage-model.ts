/** An outage during which no target is published, and what the service can do after it. */
export interface Outage {
  readonly outageMinutes: number;
  /** Targets that become due per second, during the outage and after it. */
  readonly duePerSecond: number;
  /** Overdue targets that the sweep enqueues per minute. */
  readonly sweptPerMinute: number;
  /** Targets that all workers together publish per second. */
  readonly publishedPerSecond: number;
}

export interface Recovery {
  /** Time from the end of the outage until every target that was due by then is live. */
  readonly minutes: number;
  /** The part that would have to be faster for a shorter recovery. */
  readonly boundBy: 'the sweep' | 'the workers';
}

/** The end of all recoveries: after a day, overdue targets fail as missed. */
const longestMinutes = 24 * 60;

/**
 * Computes how long the service needs after an outage, minute by minute. Targets that become due after the outage take
 * their share of the workers. The first sweep starts up to a minute after the end.
 */
export function recoveryAfter(outage: Outage): Recovery {
  const spareWorkersPerMinute = 60 * Math.max(0, outage.publishedPerSecond - outage.duePerSecond);
  const boundBy = outage.sweptPerMinute < spareWorkersPerMinute ? 'the sweep' : 'the workers';
  let waiting = outage.outageMinutes * 60 * outage.duePerSecond;
  let queued = 0;
  let minutes = 1;
  while (waiting + queued > 0 && minutes < longestMinutes) {
    const swept = Math.min(waiting, outage.sweptPerMinute);
    waiting -= swept;
    queued = Math.max(0, queued + swept - spareWorkersPerMinute);
    minutes += 1;
  }
  return { minutes, boundBy };
}
