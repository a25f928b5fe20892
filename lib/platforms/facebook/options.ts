import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { commentCharacters, titleCharacters } from './limits.ts';

const contentType = () => z.enum(['feed', 'reel', 'story'], 'must be feed, reel or story').optional();

/** `platformSpecificData` of a Facebook destination. Built when it is first used: most requests need one platform's. */
export const FacebookOptions = z.lazy(() =>
  z
    .object({
      contentType: contentType().meta({
        description: 'A single video is a plain video unless this is `reel` or `story`; `feed` by default',
      }),
      type: contentType().meta({ description: 'The same as `contentType`' }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https address' })
        .optional()
        .meta({ description: 'Posts without media: shown with a preview' }),
      title: z
        .string('must be a text')
        .max(titleCharacters, `must have at most ${titleCharacters} characters`)
        .optional()
        .meta({ description: 'Of a video or reel' }),
      firstComment: z
        .string('must be a text')
        .max(commentCharacters, `must have at most ${commentCharacters} characters`)
        .optional()
        .meta({ description: 'Posted by the Page itself once the post is live' }),
    })
    .meta({ id: 'FacebookOptions' }),
);
export type FacebookOptions = z.infer<typeof FacebookOptions>;

export type PostKind = 'text' | 'photos' | 'video' | 'reel' | 'photoStory' | 'videoStory';

/** What the media and the options make of a post. */
export function postKind(media: readonly { type: MediaType }[], options: FacebookOptions): PostKind {
  const asked = options.contentType ?? options.type;
  const isVideo = media[0]?.type === 'video';
  if (asked === 'story') return isVideo ? 'videoStory' : 'photoStory';
  if (media.length === 0) return 'text';
  if (!isVideo) return 'photos';
  return asked === 'reel' ? 'reel' : 'video';
}
