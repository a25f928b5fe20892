import type { Tool } from './tool.ts';
import * as accounts from './tools/accounts.ts';
import * as automations from './tools/automations.ts';
import { listEvents } from './tools/events.ts';
import * as media from './tools/media.ts';
import * as posts from './tools/posts.ts';

/**
 * Every tool, in the order of the list. There are none for keys, members, webhooks and disconnecting: an agent must not change who
 * may do what, nor where data goes.
 */
export const tools = [
  accounts.listAccounts,
  accounts.describeAccount,
  accounts.connectAccount,
  accounts.getConnection,
  media.addMedia,
  media.getMedia,
  posts.checkPost,
  posts.createPost,
  posts.changePost,
  posts.retryPost,
  posts.deletePost,
  posts.getPost,
  posts.findPosts,
  listEvents,
  automations.findAutomations,
  automations.setAutomation,
] as unknown as readonly Tool[];
