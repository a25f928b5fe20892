import { describe, expect, it } from 'vitest';
import {
  concurrencyBounds,
  leastBoundedConcurrency,
  publishPollerRange,
} from '../../../infra/functions/concurrency.ts';
import { sendsToItself } from '../../../infra/functions/definition.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { findStage, stages } from '../../../infra/stages.ts';

const stageNames = Object.keys(stages);
const consumers = workerFunctions.flatMap(({ name, trigger }) => (trigger.kind === 'queue' ? [name] : []));

describe('the bounds of background functions', () => {
  it.each([
    ...stageNames.map((name) => ({
      title: `the stage ${name}`,
      accountConcurrency: findStage(name).accountConcurrency ?? 1_000,
    })),
    ...[leastBoundedConcurrency, 100, 199, 200, 499, 500, 1_000, 5_000].map((accountConcurrency) => ({
      title: `an account with ${accountConcurrency}`,
      accountConcurrency,
    })),
  ])('leave at least an eighth of the concurrency to requests: $title', ({ accountConcurrency }) => {
    const { queues, free } = concurrencyBounds(workerFunctions, { accountConcurrency });

    expect(Object.keys(queues)).toEqual(consumers);
    expect(free).toBeGreaterThanOrEqual(accountConcurrency / 8);
    expect(Math.min(...Object.values(queues))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...Object.values(queues))).toBeLessThanOrEqual(1_000);
  });

  it('are the fewest that Lambda allows in an account that is too small for bounds', () => {
    const { queues, free } = concurrencyBounds(workerFunctions, { accountConcurrency: 10 });

    expect(new Set(Object.values(queues))).toEqual(new Set([2]));
    expect(free).toBeLessThan(0);
  });

  it('of both stages together fit into one account with Lambda’s default', () => {
    const used = stageNames.map((name) => {
      const stage = findStage(name);
      const { free } = concurrencyBounds(workerFunctions, stage);
      return (stage.accountConcurrency ?? 1_000) - free;
    });

    expect(used.reduce((sum, each) => sum + each, 0)).toBeLessThan(1_000);
  });

  it('take the number of publishing environments from the settings, if they have one', () => {
    const { queues } = concurrencyBounds(workerFunctions, {
      accountConcurrency: 1_000,
      publishConcurrency: 123,
    });

    expect(queues).toMatchObject({ 'publish-target': 123 });
  });
});

describe('pollers that are always ready for the publish queue', () => {
  it.each([
    [2, 20, 2],
    [20, 285, 28],
    [28, 285, 28],
  ])('of which there are %i run within the %i environments that may publish', (pollers, bound, maximum) => {
    expect(publishPollerRange(pollers, bound)).toEqual({ minimum: pollers, maximum });
  });

  it('are refused if they run more', () => {
    expect(() => publishPollerRange(29, 285)).toThrow(
      /29 pollers run 290 environments, and 285 may publish .* raise publishConcurrency/,
    );
  });
});

describe('a function that sends to the queue that it consumes', () => {
  it.each(workerFunctions.filter(sendsToItself).map(({ name }) => [name]))(
    'is known: %s. Its messages must bound their chains by themselves',
    (name) => {
      expect([
        'publish-target',
        'upload-target',
        'import-media',
        'deliver-slow-webhook',
        'deliver-webhook',
        'run-automation',
      ]).toContain(name);
    },
  );
});
