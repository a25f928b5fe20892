import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { altTextCharacters, commentCharacters, maxCollaborators, maxUserTags } from './limits.ts';

const username = () =>
  z
    .string()
    .transform((name) => name.trim().replace(/^@/, ''))
    .pipe(z.string().regex(/^[A-Za-z0-9._]{1,30}$/, 'must be an Instagram username'));

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);

/** `platformSpecificData` of an Instagram destination. Built on first use: most requests need only one platform. */
export const InstagramOptions = z.lazy(() =>
  z
    .object({
      contentType: z.enum(['feed', 'reel', 'story'], 'must be feed, reel or story').optional(),
      type: z
        .enum(['feed', 'reel', 'story'], 'must be feed, reel or story')
        .optional()
        .meta({ description: 'Alias of `contentType`' }),
      shareToFeed: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Only for reels: also shows the reel in the feed. Default: `true`' }),
      firstComment: z
        .string('must be a string')
        .max(commentCharacters, `must have at most ${commentCharacters} characters`)
        .optional()
        .meta({ description: 'A comment that the account posts once the post is live' }),
      collaborators: z
        .array(username(), 'must be a list of usernames')
        .max(maxCollaborators, `must have at most ${maxCollaborators} usernames`)
        .optional()
        .meta({ description: 'Usernames to invite as co-authors' }),
      altText: z
        .union([altText(), z.array(altText())], `must be a string of at most ${altTextCharacters} characters`)
        .optional()
        .meta({ description: 'Describes the image. For a carousel, a list in the order of its items' }),
      userTags: z
        .array(
          z.object({
            username: username(),
            x: z.number().min(0).max(1).optional(),
            y: z.number().min(0).max(1).optional(),
            mediaIndex: z
              .int('must be a whole number')
              .nonnegative('must not be negative')
              .optional()
              .meta({ description: 'Index of the image in a carousel, counted from 0. Default: 0' }),
          }),
        )
        .max(maxUserTags, `must have at most ${maxUserTags} tags`)
        .optional()
        .meta({
          description:
            'Tagged people. Images require `x` and `y`, from 0 to 1. Videos of a carousel cannot have tags',
        }),
      thumbOffset: z.int('must be a whole number of milliseconds').nonnegative().optional().meta({
        description:
          'Only for reels: the frame that becomes the cover, in milliseconds, unless `coverUrl` is set',
      }),
      audioName: z.string('must be a string').max(255).optional(),
      trialReel: z.enum(['MANUAL', 'SS_PERFORMANCE'], 'must be MANUAL or SS_PERFORMANCE').optional().meta({
        description:
          'Only for reels: a trial reel, shown to non-followers first, and how it becomes a normal reel',
      }),
      locationId: z
        .string('must be a string')
        .regex(/^\d{1,20}$/, 'must be the id of a Facebook Page with an address, in digits')
        .optional()
        .meta({
          description:
            "Shown as the post's place: the id of a Facebook Page that has an address, in digits. Not for stories",
        }),
      isAiGenerated: z.boolean('must be true or false').optional(),
      commentsEnabled: z.boolean('must be true or false').optional().meta({
        description:
          'If false, comments are turned off as soon as the post is live. Not for stories, and not with `firstComment`. Default: `true`',
      }),
    })
    .meta({ id: 'InstagramOptions' }),
);
export type InstagramOptions = z.infer<typeof InstagramOptions>;

export type PostKind = 'image' | 'reel' | 'carousel' | 'story';

/** Returns the kind of post that results from the media and the options. */
export function postKind(media: readonly { type: MediaType }[], options: InstagramOptions): PostKind {
  if ((options.contentType ?? options.type) === 'story') return 'story';
  if (media.length > 1) return 'carousel';
  return media[0]?.type === 'video' ? 'reel' : 'image';
}
