import { type ListedPost, timeOf } from './post.ts';

const usualMs = 15_000;
const nearMs = 5_000;
/** Files are prepared in the minutes before. What is late is tried again for longer, but no longer by the second. */
const beforeMs = 5 * 60_000;
const afterMs = 10 * 60_000;

/** Whether the post goes live now or within minutes, so that a person watches it. Pure. @param now epoch milliseconds */
export function isNearDue(post: ListedPost, now: number): boolean {
  return post.platforms.some((target) => {
    if (target.status === 'publishing') return true;
    const at = target.status === 'scheduled' ? timeOf(target, post) : null;
    return at !== null && Date.parse(at) - now <= beforeMs && now - Date.parse(at) <= afterMs;
  });
}

/** How often to read what these posts do. Pure. @param now epoch milliseconds */
export const refreshEveryMs = (posts: readonly ListedPost[] | undefined, now: number): number =>
  posts?.some((post) => isNearDue(post, now)) ? nearMs : usualMs;
