import type { Operator } from '../../workspaces/operator.ts';

/** Who looks at or changes the members of which workspace: a person whose role allows it, or an operator. */
export interface MembersContext extends Operator {
  readonly workspaceId: string;
}
