import { listKeysOperation, listMembersOperation } from '../../../lib/people/operations.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { instagram, pinterest } from './accounts.ts';
import { keyOf } from './developers-data.ts';
import { serveNow } from './now.ts';
import { answer } from './operation-answers.ts';
import { listedPostOf, postOf, targetOf } from './posts.ts';

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
export const agent = keyOf(1, { name: 'Agent of the shop', permissions: ['read', 'draft'] });
type Changes = Parameters<typeof listedPostOf>[1];

/** A draft that the agent proposes. */
export function proposalOf(number: number, changes: Changes = {}, version = 1) {
  const scheduledFor = inMinutes(90);
  return listedPostOf(number, {
    status: 'draft',
    content: 'Summer blend is here.\nCome and taste it on Friday.',
    scheduledFor,
    platforms: [instagram, pinterest].map((each) => targetOf(each, { status: 'draft', scheduledFor })),
    approval: {
      state: 'waiting',
      version,
      requestedAt: inMinutes(-5),
      requestedBy: { kind: 'key', id: agent.id },
      decidedAt: null,
      decidedBy: null,
      note: null,
    },
    ...changes,
  });
}

export const withThread = (post: ReturnType<typeof proposalOf>): PostView => {
  const whole = postOf(post);
  return {
    ...whole,
    platforms: whole.platforms.map((target) =>
      target.platform === 'pinterest'
        ? {
            ...target,
            customContent: 'Only for Pinterest',
            platformSpecificData: { thread: [{ content: 'And more below' }] },
          }
        : { ...target, platformSpecificData: { firstComment: 'See you there' } },
    ),
  };
};

/** Serves Home with drafts that wait for a person. */
export function serveProposals(
  api: Parameters<typeof serveNow>[0],
  posts: readonly ReturnType<typeof proposalOf>[],
) {
  serveNow(api, { accounts: [instagram, pinterest], posts });
  answer(api, listKeysOperation, () => ({ keys: [agent] }));
  answer(api, listMembersOperation, () => ({ members: [] }));
}
