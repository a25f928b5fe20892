/** A bug: the code asked for a move that the life cycle does not allow. Nothing was written. */
export class ForbiddenMoveError extends Error {
    name = 'ForbiddenMoveError';
}
/**
 * Prevents a write that would make a move the life cycle does not allow. Staying in a state is always allowed.
 *
 * @param noun whose states these are, for the message
 * @throws ForbiddenMoveError
 */
export function requireMove(noun, lifeCycle, from, to) {
    if (from === to || lifeCycle[from].includes(to))
        return;
    throw new ForbiddenMoveError(`a ${noun} must not go from ${from} to ${to}`);
}
