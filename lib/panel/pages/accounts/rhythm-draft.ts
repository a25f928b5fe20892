import type { Rhythm } from '../../../rhythm/schemas.ts';

/** A rhythm as it is typed: numbers are texts until they are sent. */
export interface RhythmDraft {
  readonly from: string;
  readonly to: string;
  readonly dailyCap: string;
  readonly gapMinutes: string;
  readonly collisionBufferMinutes: string;
  readonly timezone: string;
}

/** The least and the most of each number, as the service has them. */
export const ranges = {
  dailyCap: [1, 100],
  gapMinutes: [1, 7 * 24 * 60],
  collisionBufferMinutes: [0, 24 * 60],
} as const;

export function draftOf({ dayWindow, timezone, ...numbers }: Rhythm): RhythmDraft {
  return {
    from: dayWindow.from,
    to: dayWindow.to,
    dailyCap: String(numbers.dailyCap),
    gapMinutes: String(numbers.gapMinutes),
    collisionBufferMinutes: String(numbers.collisionBufferMinutes),
    timezone,
  };
}

/** Returns the rhythm that is sent. The fields have been checked. */
export function rhythmOf({ from, to, timezone, ...numbers }: RhythmDraft): Rhythm {
  return {
    dayWindow: { from, to },
    timezone,
    dailyCap: Number(numbers.dailyCap),
    gapMinutes: Number(numbers.gapMinutes),
    collisionBufferMinutes: Number(numbers.collisionBufferMinutes),
  };
}

/** Returns true if a text is a whole number in a range. */
export const isWholeIn = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

export const isSame = (one: RhythmDraft, other: RhythmDraft): boolean =>
  JSON.stringify(rhythmOf(one)) === JSON.stringify(rhythmOf(other));

/** `90` minutes as `1.5`: hours, if that says more. */
export function hoursOf(minutes: string): number | undefined {
  const number = Number(minutes);
  return /^\d+$/.test(minutes.trim()) && number >= 60 ? Math.round((number / 60) * 100) / 100 : undefined;
}
