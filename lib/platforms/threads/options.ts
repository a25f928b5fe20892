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
        .meta({ description: 'A reply by the account itself, posted once the post is live' }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({
          description: 'Posts without media: shown with a preview; else the first link of the text is',
        }),
      topicTag: z
        .string('must be a string')
        .transform((tag) => tag.trim().replace(/^#/, ''))
        .pipe(
          z
            .string()
            .min(1, 'must not be empty')
            .max(topicTagCharacters, `must have at most ${topicTagCharacters} characters`)
            .regex(/^[^.&]*$/, 'must have no . and no &'),
        )
        .optional()
        .meta({ description: 'The topic of the post; else the first hashtag of the text is' }),
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
        .meta({ description: 'Of the image or video; for a carousel a list in the order of its items' }),
      isSpoiler: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Whether the media are hidden until they are tapped' }),
    })
    .meta({ id: 'ThreadsOptions' }),
);
export type ThreadsOptions = z.infer<typeof ThreadsOptions>;

export type PostKind = 'text' | 'image' | 'video' | 'carousel';

/** What the media make of a post. */
export function postKind(media: readonly { type: MediaType }[]): PostKind {
  if (media.length > 1) return 'carousel';
  return media[0]?.type ?? 'text';
}
