/** One thing that `doctor` looked at. */
export interface Check {
  readonly check: string;
  /** `unknown`: it could not be looked at, and somebody should do it by hand. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'unknown';
  /** What was found. Never a secret. */
  readonly found: string;
  /** What to do, unless all is well. */
  readonly remedy?: string;
}

export const ok = (check: string, found: string): Check => ({ check, state: 'ok', found });
export const warning = (check: string, found: string, remedy: string): Check => ({
  check,
  state: 'warning',
  found,
  remedy,
});
export const wrong = (check: string, found: string, remedy: string): Check => ({
  check,
  state: 'wrong',
  found,
  remedy,
});

export const unknown = (check: string, found: string, remedy: string): Check => ({
  check,
  state: 'unknown',
  found,
  remedy,
});

/** Lines for people. Pure. */
export function checkLines(checks: readonly Check[]): string[] {
  const widest = Math.max(...checks.map(({ check }) => check.length));
  return checks.flatMap(({ check, state, found, remedy }) => [
    `${state.padEnd(7)}  ${check.padEnd(widest)}  ${found}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(widest + 11)}-> ${remedy}`]),
  ]);
}

/** Runs a check that may throw: an error is something wrong, and the other checks go on. */
export async function attempt(
  check: string,
  remedy: string,
  look: () => Promise<Check | readonly Check[]>,
  inWords: (error: unknown) => string,
): Promise<readonly Check[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [wrong(check, inWords(error), remedy)];
  }
}
