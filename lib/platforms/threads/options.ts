import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { characterCount, isBlank } from '../shared/text.ts';
import {
  altTextCharacters,
  maxFurtherParts,
  maxTextSpoilers,
  pollLimits,
  textAttachmentCharacters,
  topicTagCharacters,
} from './limits.ts';

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);

/** A file of a part, as an element of a post's `mediaItems`, whose rules the request has been checked by. */
const PartFile = z.object({
  type: z.string().nullish(),
  url: z.string().nullish(),
  sourceUrl: z.string().nullish(),
  filename: z.string().nullish(),
  mimeType: z.string().nullish(),
  sizeBytes: z.number().nullish(),
  altText: z.string().nullish(),
  fit: z.string().nullish(),
  padColor: z.string().nullish(),
  focalPoint: z.object({ x: z.number(), y: z.number() }).nullish(),
});

const { min: minOptions, max: maxOptions } = pollLimits.options;
const optionCount = `must have from ${minOptions} to ${maxOptions} options`;

/** Leaves the empty text to the check that reports it. */
const isEmptyOrVisible = (text: string) => text === '' || !isBlank(text);

/** `platformSpecificData` of a Threads destination. Built on first use: most requests need only one platform. */
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
            .regex(/^[^.&]*$/, 'must not contain . or &')
            .refine(isEmptyOrVisible, 'must not be empty'),
        )
        .optional()
        .meta({ description: 'The topic of the post. Default: the first hashtag of the text' }),
      replyControl: z
        .enum(
          ['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'],
          'must be everyone, accounts_you_follow, mentioned_only, parent_post_author_only or followers_only',
        )
        .optional()
        .meta({ description: 'People who may reply' }),
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
      textSpoilers: z
        .array(
          z.object({
            offset: z.int('must be a whole number').nonnegative('must not be negative'),
            length: z.int('must be a whole number').positive('must be at least 1'),
          }),
          'must be a list of objects with offset and length',
        )
        .max(maxTextSpoilers, `must have at most ${maxTextSpoilers} entries`)
        .optional()
        .meta({
          description:
            'Hides parts of the text until the viewer taps them: `length` characters from character `offset` of the content, counted from 0. Threads does not say whether it counts emoji before them as one character or two',
        }),
      poll: z
        .object({
          options: z
            .array(
              z
                .string('must be a string')
                .trim()
                .min(1, 'must not be empty')
                .refine(isEmptyOrVisible, 'must not be empty')
                .refine((option) => characterCount(option) <= pollLimits.optionCharacters, {
                  error: `must have at most ${pollLimits.optionCharacters} characters`,
                }),
              'must be a list of texts',
            )
            .min(minOptions, optionCount)
            .max(maxOptions, optionCount),
        })
        .optional()
        .meta({
          description: `Only for posts without media: a poll with ${minOptions} to ${maxOptions} options of at most ${pollLimits.optionCharacters} characters`,
        }),
      quotePostId: z
        .string('must be a string')
        .regex(/^\d+$/, 'must be the id of a Threads post, in digits')
        .optional()
        .meta({ description: 'The id (not the URL) of a post to quote' }),
      replyApprovals: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Hides each reply until the account approves it in Threads' }),
      gifId: z
        .string('must be a string')
        .regex(/^[\w-]{1,64}$/, 'must be the id of a GIF at GIPHY, not its URL')
        .optional()
        .meta({ description: 'Only for posts without media: the id of a GIF at GIPHY' }),
      textAttachment: z
        .object({
          text: z
            .string('must be a string')
            .trim()
            .min(1, 'must not be empty')
            .refine((text) => characterCount(text) <= textAttachmentCharacters, {
              error: `must have at most ${textAttachmentCharacters} characters`,
            }),
          link: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
        })
        .optional()
        .meta({
          description: `Only for posts without media and without a poll: a longer text of at most ${textAttachmentCharacters} characters that readers open, perhaps with a link, which counts as one of the post's`,
        }),
      isGhostPost: z.boolean('must be true or false').optional().meta({
        description:
          'Threads archives the post after 24 hours. Only for texts, with no other option than `textSpoilers`',
      }),
      thread: z
        .array(
          z.object({
            content: z.string('must be a string').nullish(),
            mediaItems: z
              .array(PartFile, 'must be a list of files')
              .nullish()
              .meta({ description: "The part's files, as in `mediaItems` of a post" }),
          }),
          'must be a list of { content, mediaItems }',
        )
        .max(maxFurtherParts, `must have at most ${maxFurtherParts} parts`)
        .optional()
        .meta({
          description: `The parts that follow the post as a thread, at most ${maxFurtherParts}. The post itself is the first part; each other one replies to the one before it. The other options are for the first part`,
        }),
    })
    .meta({ id: 'ThreadsOptions' }),
);
export type ThreadsOptions = z.infer<typeof ThreadsOptions>;

export type PostKind = 'text' | 'image' | 'video' | 'carousel';

/** Returns the kind of post that results from the media. */
export function postKind(media: readonly { type: MediaType }[]): PostKind {
  if (media.length > 1) return 'carousel';
  return media[0]?.type ?? 'text';
}
