/** Waits between looks at a platform's work, in seconds: 1, 2, 4 … 60. */
export function pollDelaySeconds(looksSoFar: number): number {
  return Math.min(60, 2 ** Math.min(looksSoFar, 6));
}
