/** One finding of `doctor`. */
export interface Check {
  readonly check: string;
  /** `unknown`: it could not be checked, and somebody should check it by hand. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'unknown';
  /** The finding. Never a secret. */
  readonly found: string;
  /** The remedy, unless all is well. */
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

/** Formats checks as lines for people. Pure. */
export function checkLines(checks: readonly Check[]): string[] {
  const widest = Math.max(...checks.map(({ check }) => check.length));
  return checks.flatMap(({ check, state, found, remedy }) => [
    `${state.padEnd(7)}  ${check.padEnd(widest)}  ${found}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(widest + 11)}-> ${remedy}`]),
  ]);
}

/** Runs a check that may throw: an error becomes a finding, and the other checks go on. */
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
