import { beforeAll, describe, expect, it } from 'vitest';
import { stackName, stacksOf } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stages.ts';
import { isSameQueue, queueNameOf } from '../../lib/aws/queue-names.ts';
import {
  devWithAlarms,
  production,
  referenced,
  type Synthesized,
  synthesize,
  synthesizeOnce,
  type Templates,
} from './support/synthesize.ts';

const account = '222222222222';
const inTwoRegions: Stage = { ...production, account, region: 'us-east-1', backupRegion: 'eu-west-1' };

let spread: Synthesized;
beforeAll(() => {
  spread = synthesize({ stage: inTwoRegions });
  return () => spread.remove();
});

const stages: readonly [string, Stage, () => Templates][] = [
  ['dev', devWithAlarms, () => synthesizeOnce()],
  ['production', production, () => synthesizeOnce('production')],
  ['production in two Regions', inTwoRegions, () => spread],
];

describe.each(stages)('the commands of operators, in %s', (_, stage, templates) => {
  it('look at every stack', () => {
    const deployed = Object.keys(templates().stacks).map((part) => stackName(stage, part));
    expect(
      stacksOf(stage)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(deployed.sort());
  });

  it('know every queue by a name of its own, and its dead letters by the same', () => {
    const queues = Object.entries(templates().stacks).flatMap(([part, resources]) =>
      resources
        .filter(({ Type }) => Type === 'AWS::SQS::Queue')
        .map(({ logicalId, Properties: { RedrivePolicy } }) => ({
          logicalId,
          target: RedrivePolicy && referenced(RedrivePolicy.deadLetterTargetArn),
          // As CloudFormation makes it.
          ...queueNameOf(`${stackName(stage, part)}-${logicalId}-AbCdEf012345`),
        })),
    );
    const [sources, letters] = [
      queues.filter(({ target }) => target !== undefined),
      queues.filter(({ target }) => target === undefined),
    ];
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter(({ isDeadLetters }) => isDeadLetters)).toEqual([]);
    expect(letters.filter(({ isDeadLetters }) => !isDeadLetters)).toEqual([]);
    for (const { name, target } of sources) {
      expect(letters.find(({ logicalId }) => logicalId === target)?.name).toBe(name);
      expect(name).not.toMatch(/queue|letters|\d/);
      expect(sources.filter((each) => isSameQueue(each.name, name))).toHaveLength(1);
    }
    expect(letters.map(({ name }) => name)).toEqual([...new Set(letters.map(({ name }) => name))]);
  });
});

describe('a stage whose account is pinned', () => {
  it('has every stack in it, those of its other Region too', () => {
    expect(spread.environments().toSorted()).toEqual([
      `aws://${account}/eu-west-1`,
      `aws://${account}/us-east-1`,
    ]);
  });
});
