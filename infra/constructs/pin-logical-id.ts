import { CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Stage } from '../stages.ts';

const pinned = new WeakSet<CfnResource>();

/**
 * Gives a construct's main resource a fixed logical id that does not depend on its place in the construct tree. Use it
 * for resources that keep data, work that waits, or an address that others know: CloudFormation replaces a resource if its logical
 * id changes, so moving code would lose them.
 *
 * @throws Error if the construct has no main resource
 */
export function pinLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = mainResource(construct);
  resource.overrideLogicalId(logicalId);
  pinned.add(resource);
}

/** Returns true if the logical id of a resource is pinned. */
export const isPinned = (resource: CfnResource): boolean => pinned.has(resource);

/**
 * Sets what happens to a construct's main resource if it leaves its template or would be replaced: a stage that keeps its data
 * keeps it, outside CloudFormation. If the creation of a stack fails, the resource is deleted in any case, so that the stack can
 * be created again.
 *
 * @throws Error if the construct has no main resource
 */
export function keepIfStageKeepsData(construct: IConstruct, stage: Stage): void {
  mainResource(construct).applyRemovalPolicy(removalPolicyOf(stage));
}

function mainResource(construct: IConstruct): CfnResource {
  const resource = CfnResource.isCfnResource(construct) ? construct : construct.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${construct.node.path} has no main resource`);
  return resource;
}

/**
 * Returns the removal policy of a resource that holds data. If the deployment that creates it fails, it is deleted in every
 * stage: it holds nothing yet, and the deployment can be repeated.
 */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
