import { isId } from '../kernel/ids.ts';

/**
 * The posts of its account whose comments an automation answers, or the messages to the account that it answers instead:
 * - `post`: one post at the platform;
 * - `herald post`: one post of Herald, known by its own id until it is live;
 * - `next post`: the first post that goes live after the automation was created, whoever publishes it; known once it is live;
 * - `every post`: all posts of the account;
 * - `story replies`: no comments, but the messages that reply to a story of the account;
 * - `direct messages`: no comments, but all messages of people, also those that reply to a story.
 */
export type AnsweredPosts =
  | { readonly kind: 'post'; readonly platformPostId: string }
  | { readonly kind: 'herald post'; readonly postId: string }
  | { readonly kind: 'next post'; readonly platformPostId?: string | undefined }
  | { readonly kind: 'every post' }
  | { readonly kind: 'story replies' }
  | { readonly kind: 'direct messages' };

/** The beginning of the names of posts that are not known by an id at the platform. No platform's id begins so. */
export const ruleNamePrefix = 'RULE#';
const ofHerald = `${ruleNamePrefix}POST#`;
const next = `${ruleNamePrefix}NEXT`;
const every = `${ruleNamePrefix}EVERY`;
const wasNext = 'NEXT#';
// Not among the rules, which every comment reads.
const storyReplies = 'MESSAGES#STORY';
const directMessages = 'MESSAGES#ALL';

/**
 * Returns the text by which an automation stores its posts. It is also the sort key of the automation's claim, of which an account
 * has one for each name. A post's own automation stores the plain id, as earlier releases do.
 */
export function nameOf(posts: AnsweredPosts): string {
  switch (posts.kind) {
    case 'post':
      return posts.platformPostId;
    case 'herald post':
      return `${ofHerald}${posts.postId}`;
    case 'next post':
      return posts.platformPostId === undefined ? next : `${wasNext}${posts.platformPostId}`;
    case 'every post':
      return every;
    case 'story replies':
      return storyReplies;
    case 'direct messages':
      return directMessages;
  }
}

/** Reads a stored name. */
export function postsNamed(name: string): AnsweredPosts {
  if (name === next) return { kind: 'next post' };
  if (name === every) return { kind: 'every post' };
  if (name === storyReplies) return { kind: 'story replies' };
  if (name === directMessages) return { kind: 'direct messages' };
  if (name.startsWith(wasNext)) return { kind: 'next post', platformPostId: name.slice(wasNext.length) };
  const postId = name.startsWith(ofHerald) ? name.slice(ofHerald.length) : undefined;
  return postId !== undefined && isId(postId)
    ? { kind: 'herald post', postId }
    : { kind: 'post', platformPostId: name };
}

/** True if messages start the automation, and comments do not. */
export function isStartedByMessages({ platformPostId }: { readonly platformPostId: string }): boolean {
  const { kind } = postsNamed(platformPostId);
  return kind === 'story replies' || kind === 'direct messages';
}
