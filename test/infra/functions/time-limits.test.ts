import { describe, expect, it } from 'vitest';
import { lateReserveMs } from '../../../functions/middleware/in-time.ts';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { defaultTimeoutSeconds } from '../../../infra/functions/definition.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { copyTimeoutMs } from '../../../lib/aws/bucket.ts';
import { longestRequestMs } from '../../../lib/aws/client-options.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';

/** The time that a worker needs besides, to start and to tell of the failure. */
const reserveMs = 5 * secondMs;

describe('the time limits', () => {
  it('of a request to AWS are those of its attempts and of the waits between them', () => {
    expect([longestRequestMs(), longestRequestMs(1_000, 2)]).toEqual([4 * 4_000 + 700, 2 * 2_000 + 100]);
  });

  it.each(workerFunctions.map(({ name, timeoutSeconds = defaultTimeoutSeconds }) => [name, timeoutSeconds]))(
    'of %s, %d seconds, are longer than a request to AWS that gets no answer, so that its failure is logged and handled',
    (_, timeoutSeconds) => {
      expect(longestRequestMs() + reserveMs).toBeLessThanOrEqual(Number(timeoutSeconds) * secondMs);
    },
  );

  // The redirect has shorter limits of its own: see `lib/links/link-table.ts`.
  const others = apiFunctions.filter(({ name }) => name !== 'redirect');

  it.each(others.map(({ name, timeoutSeconds = defaultTimeoutSeconds }) => [name, timeoutSeconds]))(
    'of %s, %d seconds, leave time for work before it answers that it is late, and are within those of API Gateway',
    (_, timeoutSeconds) => {
      expect(Number(timeoutSeconds) * secondMs - lateReserveMs).toBeGreaterThanOrEqual(9 * secondMs);
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
      expect(Number(timeoutSeconds)).toBeLessThan(30);
    },
  );

  it('of a copy of an accepted file end before the function that makes it', () => {
    const { timeoutSeconds = 0 } = workerFunctions.find(({ name }) => name === 'complete-upload') ?? {};
    expect(copyTimeoutMs + reserveMs).toBeLessThanOrEqual(timeoutSeconds * secondMs);
  });
});
