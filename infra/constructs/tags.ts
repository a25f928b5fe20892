import { type Stack, Tags } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/** Returns the tags of a stage in CloudFormation's form. */
export const tagsOf = ({ name }: Stage) => [
  { Key: 'service', Value: 'herald' },
  { Key: 'stage', Value: name },
];

/** Tags every resource of a stack that can have tags, so that bills and searches can tell stages and services apart. */
export function tagResources(stack: Stack, stage: Stage): void {
  for (const { Key, Value } of tagsOf(stage)) Tags.of(stack).add(Key, Value);
}
