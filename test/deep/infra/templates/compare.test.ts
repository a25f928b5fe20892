import { expect, it } from 'vitest';
import { workerFunctions } from '../../../../infra/functions/workers.ts';
import { compareTemplates } from '../../../../infra/templates/compare.ts';
import { loadResourceTypes } from '../../../../infra/templates/resource-types.ts';
import type { Templates } from '../../../../infra/templates/template.ts';
import { production, type Synthesized, synthesize } from '../../../infra/support/synthesize.ts';

/** The background functions, whose memory is something else with another limit. */
const workersWith = (limit: number) =>
  workerFunctions.map((worker) => ({ ...worker, memoryMegabytes: 1_000 + limit }));
const templatesOf = (service: Synthesized | undefined): Templates =>
  new Map(
    Object.entries(service?.stacks ?? {}).map(([name, resources]) => [
      name,
      { Resources: Object.fromEntries(resources.map((each) => [each.logicalId, each])) },
    ]),
  );

it('an update of the functions’ code and settings blocks nothing: each release makes versions with ids of their own', () => {
  const [first, second] = [
    production,
    { ...production, rateLimitPerMinute: 7, operatorEmail: 'new@example.com' },
  ].map((stage) => {
    const synthesized = synthesize({ stage, workers: workersWith(stage.rateLimitPerMinute) });
    synthesized.remove();
    return synthesized;
  });
  const versionsOf = (service = first) =>
    service?.ofType('AWS::Lambda::Version').map(({ logicalId }) => logicalId);
  expect(versionsOf(second)).not.toEqual(versionsOf(first));
  const changes = compareTemplates(templatesOf(first), templatesOf(second), loadResourceTypes());
  expect(changes.filter(({ isBlocker }) => isBlocker)).toEqual([]);
  expect(changes.map(({ kind, logicalId }) => `${logicalId}: ${kind}`)).toEqual([
    expect.stringMatching(/^OperatorTopic\w+: (renamed|removed)$/),
    'Budget: replaced',
  ]);
});
