import type { Parameters, PlatformResponse } from '../contract/http.ts';
import type { LivePost } from '../contract/live-post.ts';
import { readResponse } from '../shared/json.ts';
import type { ListedPost } from './map.ts';
import { Posts, Stories, toListedPost } from './responses.ts';

const pageSize = '100';
/** 500 stories. Nothing is concluded if a story is not among them. */
const maxStoryPages = 5;

/** Reads the lists of a Page's posts and stories. @param get reads one page of a list of the Page */
export function pageLists(get: (edge: string, query: Parameters) => Promise<PlatformResponse>) {
  return {
    /** The Page's posts, newest first. @param sinceMs only newer ones, in epoch milliseconds; default: all */
    async *listPosts(sinceMs?: number): AsyncGenerator<ListedPost[]> {
      const fields =
        'id,message,created_time,permalink_url,attachments{media_type,target,subattachments{target}}';
      const since = sinceMs === undefined ? undefined : String(Math.floor(sinceMs / 1_000));
      let after: string | undefined;
      do {
        const response = await get('published_posts', { fields, since, limit: pageSize, after });
        const { data, paging } = readResponse(Posts, response);
        yield data.map(toListedPost);
        after = paging;
      } while (after !== undefined);
    },

    /**
     * The story that shows this photo or video. Only Pages that archive their stories list them.
     *
     * @returns undefined if the newest stories do not include it
     */
    async findStory(mediaId: string): Promise<LivePost | undefined> {
      const fields = 'post_id,status,creation_time,media_type,media_id,url';
      let after: string | undefined;
      for (let pages = 0; pages < maxStoryPages; pages += 1) {
        const { data, paging } = readResponse(
          Stories,
          await get('stories', { fields, limit: pageSize, after }),
        );
        const story = data.find(({ media_id }) => media_id === mediaId);
        if (story) {
          const { post_id, url = null, creation_time } = story;
          return { platformPostId: post_id, permalink: url, publishedMs: fromUnixTime(creation_time) };
        }
        if (paging === undefined) break;
        after = paging;
      }
      return undefined;
    },
  };
}

/** Epoch milliseconds of a Unix time in seconds. */
export function fromUnixTime(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}
