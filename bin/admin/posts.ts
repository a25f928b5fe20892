import { readTimeline } from '../../lib/posts/timeline.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import type { Commands } from './command.ts';

export const postCommands: Commands = {
  'post timeline': {
    verb: 'post.read',
    words: ['workspace id', 'post id'],
    summary: 'show what happened to a post and each of its destinations, oldest first',
    detail: 'The log lines of every function contain both ids. A customer can tell you the post id.',
    run: async (operator, workspaceId = '', postId = '') => {
      const { id, cursorSecret } = await getWorkspace(operator.table, workspaceId);
      const context = { ...operator, workspaceId: id, cursorSecret };
      for (const entry of await readTimeline(context, postId)) {
        const { at, platform, accountId, event, attempt, calls, reason, nextAt } = entry;
        const who = platform === null ? 'post' : `${platform} ${accountId} attempt ${attempt}`;
        const next = nextAt === null ? '' : ` (next at ${nextAt})`;
        console.log(`${at}  ${who}  ${event}${next}${reason === null ? '' : `: ${reason}`}`);
        for (const { call, status, milliseconds } of calls)
          console.log(`    ${call}  ${status ?? 'no response'}  ${milliseconds} ms`);
      }
    },
  },
};
