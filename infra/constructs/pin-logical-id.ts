import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives a construct's main resource a fixed logical id that does not depend on its place in the construct tree. Use it
 * for resources that hold data: CloudFormation replaces a resource if its logical id changes, so moving code would lose
 * the data.
 *
 * @throws Error if the construct has no main resource
 */
export function pinLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${construct.node.path} has no main resource`);
  resource.overrideLogicalId(logicalId);
}
