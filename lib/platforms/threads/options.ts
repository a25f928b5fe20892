import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { altTextCharacters, topicTagCharacters } from './limits.ts';

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);

/** `platformSpecificData` of a Threads destination. Built when it is first used: most requests need one platform's. */
export const ThreadsOptions = z.lazy(() =>
  z
    .object({
      firstComment: z
        .string('must be a string')
        .optional()
        .meta({ description: 'A reply that the account posts once the post is live' }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({
          description:
            'Only for posts without media: the link that is shown with a preview. Default: the first link of the text',
        }),
      topicTag: z
        .string('must be a string')
        .transform((tag) => tag.trim().replace(/^#/, ''))
        .pipe(
          z
            .string()
            .min(1, 'must not be empty')
            .max(topicTagCharacters, `must have at most ${topicTagCharacters} characters`)
            .regex(/^[^.&]*$/, 'must not contain . or &'),
        )
        .optional()
        .meta({ description: 'The topic of the post. Default: the first hashtag of the text' }),
      replyControl: z
        .enum(
          ['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'],
          'must be everyone, accounts_you_follow, mentioned_only, parent_post_author_only or followers_only',
        )
        .optional()
        .meta({ description: 'Who may reply' }),
      altText: z
        .union([altText(), z.array(altText())], `must be a string of at most ${altTextCharacters} characters`)
        .optional()
        .meta({
          description: 'Describes the image or video. For a carousel, a list in the order of its items',
        }),
      isSpoiler: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Hides the media until the viewer taps them' }),
    })
    .meta({ id: 'ThreadsOptions' }),
);
export type ThreadsOptions = z.infer<typeof ThreadsOptions>;

export type PostKind = 'text' | 'image' | 'video' | 'carousel';

/** The kind of post that results from the media. */
export function postKind(media: readonly { type: MediaType }[]): PostKind {
  if (media.length > 1) return 'carousel';
  return media[0]?.type ?? 'text';
}
