import { vi } from 'vitest';
import { turns } from './turns.ts';

/** Waits until the calendar has left this millisecond. Ids sort by their milliseconds, so the next one sorts after it. */
export async function nextMillisecond(after = Date.now()): Promise<void> {
  while (Date.now() === after && !vi.isFakeTimers()) await turns(1);
}
