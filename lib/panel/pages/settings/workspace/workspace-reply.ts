import type { readWorkspaceOperation } from '../../../../workspaces/operations.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';

export type WorkspaceReply = ReplyOf<typeof readWorkspaceOperation>['workspace'];
