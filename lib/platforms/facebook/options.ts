import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { commentCharacters, maxCollaborators, maxCountries, titleCharacters } from './limits.ts';

const contentType = () => z.enum(['feed', 'reel', 'story'], 'must be feed, reel or story').optional();

/** `platformSpecificData` of a Facebook destination. Built on first use: most requests need only one platform. */
export const FacebookOptions = z.lazy(() =>
  z
    .object({
      contentType: contentType().meta({
        description:
          '`story` makes a story, `reel` makes a single video a reel, and `feed` makes it a plain video. Default: `feed`',
      }),
      type: contentType().meta({ description: 'Alias of `contentType`' }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({ description: 'Only for posts without media: a link, shown with a preview' }),
      title: z
        .string('must be a string')
        .max(titleCharacters, `must have at most ${titleCharacters} characters`)
        .optional()
        .meta({ description: 'Only for videos and reels' }),
      firstComment: z
        .string('must be a string')
        .max(commentCharacters, `must have at most ${commentCharacters} characters`)
        .optional()
        .meta({ description: 'A comment that the Page posts once the post is live' }),
      altText: z
        .union([z.string(), z.array(z.string())], 'must be a string or a list of strings')
        .optional()
        .meta({ description: 'Describes the photo. For several photos, a list in their order' }),
      countries: z
        .array(
          z
            .string()
            .transform((code) => code.trim().toUpperCase())
            .pipe(z.string().regex(/^[A-Z]{2}$/, 'must be a country code of two letters, such as DE')),
          'must be a list of country codes',
        )
        .max(maxCountries, `must have at most ${maxCountries} countries`)
        .optional()
        .meta({
          description:
            'Only people in these countries can see the post: ISO 3166-1 codes of two letters. Not for reels and stories. Default: everybody',
        }),
      collaborators: z
        .array(
          z.string().trim().regex(/^\d+$/, 'must be the id of a Page, in digits'),
          'must be a list of ids',
        )
        .transform((ids) => [...new Set(ids)])
        .refine((ids) => ids.length <= maxCollaborators, `must have at most ${maxCollaborators} Pages`)
        .optional()
        .meta({
          description:
            'Only for reels: the ids of the Pages that are invited as collaborators once the reel is live. It appears on a Page when the Page accepts. Facebook allows ten invitations per Page in 24 hours',
        }),
      draft: z.boolean('must be true or false').optional().meta({
        description:
          'Makes a draft, which a person publishes in Meta Business Suite. Not for stories, and not with `firstComment`. The destination is `published` once the draft exists, without a URL',
      }),
    })
    .meta({ id: 'FacebookOptions' }),
);
export type FacebookOptions = z.infer<typeof FacebookOptions>;

export type PostKind = 'text' | 'photos' | 'video' | 'reel' | 'photoStory' | 'videoStory';

/** Returns the kind of post that results from the media and the options. */
export function postKind(media: readonly { type: MediaType }[], options: FacebookOptions): PostKind {
  const requested = options.contentType ?? options.type;
  const isVideo = media[0]?.type === 'video';
  if (requested === 'story') return isVideo ? 'videoStory' : 'photoStory';
  if (media.length === 0) return 'text';
  if (!isVideo) return 'photos';
  return requested === 'reel' ? 'reel' : 'video';
}
