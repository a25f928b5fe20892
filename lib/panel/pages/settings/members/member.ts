import type { listMembersOperation } from '../../../../people/operations.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';

/** A member of the workspace, or somebody who is invited. */
export type Member = ReplyOf<typeof listMembersOperation>['members'][number];

/** How the panel calls a member. */
export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;
