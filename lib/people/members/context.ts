import type { Operator } from '../../workspaces/operator.ts';

/** The context of viewing or changing a workspace's members: a person whose role allows it, or an operator. */
export interface MembersContext extends Operator {
  readonly workspaceId: string;
}
