import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives a construct's main resource a logical id that does not follow from where it stands in the tree. For what holds
 * data: CloudFormation replaces a resource whose logical id changes, and moving a piece of code must never do that.
 */
export function pinLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${construct.node.path} is no single resource`);
  resource.overrideLogicalId(logicalId);
}
