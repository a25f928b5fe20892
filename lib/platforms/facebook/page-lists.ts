import type { Parameters, PlatformResponse } from '../contract/http.ts';
import type { LivePost } from '../contract/live-post.ts';
import { graphPages } from '../shared/meta/pages.ts';
import type { ListedPost } from './map.ts';
import { PagePost, Story } from './responses.ts';

const pageSize = '100';
/** The limit on pages: 500 stories. A story that is not among them may still exist. */
const maxStoryPages = 5;

/** Reads the lists of a Page's posts and stories. @param get reads one page of a list of the Page */
export function pageLists(get: (edge: string, query: Parameters) => Promise<PlatformResponse>) {
  return {
    /** Lists the Page's posts, newest first. @param sinceMs lists only newer ones, in epoch milliseconds; default: all */
    listPosts(sinceMs?: number): AsyncGenerator<ListedPost[]> {
      const fields =
        'id,message,created_time,permalink_url,attachments{media_type,target,subattachments{target}}';
      const since = sinceMs === undefined ? undefined : String(Math.floor(sinceMs / 1_000));
      return graphPages(PagePost, (page) =>
        get('published_posts', { fields, since, limit: pageSize, ...page }),
      );
    },

    /**
     * Finds the story that shows this photo or video. Only Pages that archive their stories list them.
     *
     * @returns undefined if the newest stories do not include it
     */
    async findStory(mediaId: string): Promise<LivePost | undefined> {
      const fields = 'post_id,status,creation_time,media_type,media_id,url';
      const pages = graphPages(Story, (page) => get('stories', { fields, limit: pageSize, ...page }));
      let pagesRead = 0;
      for await (const stories of pages) {
        const story = stories.find(({ media_id }) => media_id === mediaId);
        if (story) {
          const { post_id, url = null, creation_time } = story;
          return { platformPostId: post_id, permalink: url, publishedMs: fromUnixTime(creation_time) };
        }
        pagesRead += 1;
        if (pagesRead === maxStoryPages) break;
      }
      return undefined;
    },
  };
}

/** Converts a Unix time in seconds to epoch milliseconds. */
export function fromUnixTime(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}
