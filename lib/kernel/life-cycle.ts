/** The moves that a life cycle allows: for each state, the states that may follow it. */
export type LifeCycle<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The error for a bug: the code tried a move that the life cycle does not allow. Nothing was written. */
export class ForbiddenMoveError extends Error {
  override readonly name = 'ForbiddenMoveError';
}

/**
 * Prevents a write that would make a move the life cycle does not allow. Staying in a state is always allowed.
 *
 * @param noun the name of the thing that has the states, for the message
 * @throws ForbiddenMoveError
 */
export function requireMove<State extends string>(
  noun: string,
  lifeCycle: LifeCycle<State>,
  from: State,
  to: State,
): void {
  if (from === to || lifeCycle[from].includes(to)) return;
  throw new ForbiddenMoveError(`a ${noun} must not go from ${from} to ${to}`);
}
