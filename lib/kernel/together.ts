/** Runs a task after the callbacks that the event loop has now, as `setImmediate` does. */
export type Turn = (task: () => void) => unknown;

/**
 * Joins calls that are made in the same turn of the event loop into one.
 *
 * @param work performs all of these calls and returns the outcome of each, in order; if it throws, all of them throw
 * @returns a function that makes one call
 */
export function together<Call, Result>(
  work: (calls: readonly Call[]) => Promise<readonly PromiseSettledResult<Result>[]>,
  turn: Turn,
): (call: Call) => Promise<Result> {
  let waiting: { readonly call: Call; readonly result: PromiseWithResolvers<Result> }[] = [];

  async function run(): Promise<void> {
    const joined = waiting;
    waiting = [];
    try {
      const outcomes = await work(joined.map(({ call }) => call));
      for (const [index, { result }] of joined.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') result.resolve(outcome.value);
        else result.reject(outcome?.reason ?? new Error('a joined call has no outcome'));
      }
    } catch (error) {
      for (const { result } of joined) result.reject(error);
    }
  }

  return (call) => {
    const result = Promise.withResolvers<Result>();
    if (waiting.length === 0) turn(() => void run());
    waiting.push({ call, result });
    return result.promise;
  };
}
