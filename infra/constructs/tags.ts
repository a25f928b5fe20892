import { type Stack, Tags } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/** Tags every resource of a stack that can have tags, so that bills and searches tell stages and services apart. */
export function tagResources(stack: Stack, { name }: Stage): void {
  Tags.of(stack).add('service', 'herald');
  Tags.of(stack).add('stage', name);
}
