import { z } from 'zod';
import type { DatabaseTiming } from '../types.ts';

const milliseconds = z.number().min(0).max(3_600_000);
const changes = z.strictObject({
  transactionHoldMs: milliseconds.optional(),
  indexLagMs: milliseconds.optional(),
});

/**
 * Returns the handler of the route `/_local/database`: GET shows DynamoDB's timing; POST changes the values that the body names,
 * such as `{"indexLagMs": 3000}`. Changes the given object.
 */
export function timingRoute(
  timing: DatabaseTiming,
): (request: { readonly method: string; readonly body: unknown }) => { body: unknown } {
  return ({ method, body }) => {
    if (method === 'POST') {
      const { transactionHoldMs, indexLagMs } = changes.parse(body);
      if (transactionHoldMs !== undefined) timing.transactionHoldMs = transactionHoldMs;
      if (indexLagMs !== undefined) timing.indexLagMs = indexLagMs;
    }
    return { body: timing };
  };
}
