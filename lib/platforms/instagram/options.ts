import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { altTextCharacters, commentCharacters, mostCollaborators, mostUserTags } from './limits.ts';

const username = () =>
  z
    .string()
    .transform((name) => name.trim().replace(/^@/, ''))
    .pipe(z.string().regex(/^[A-Za-z0-9._]{1,30}$/, 'must be an Instagram username'));

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);

/** `platformSpecificData` of an Instagram destination. Built when it is first used: most requests need one platform's. */
export const InstagramOptions = z.lazy(() =>
  z
    .object({
      contentType: z.enum(['feed', 'reel', 'story'], 'must be feed, reel or story').optional(),
      type: z
        .enum(['feed', 'reel', 'story'], 'must be feed, reel or story')
        .optional()
        .meta({ description: 'The same as `contentType`' }),
      shareToFeed: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Reels: shown in the feed too; true by default' }),
      firstComment: z
        .string('must be a string')
        .max(commentCharacters, `must have at most ${commentCharacters} characters`)
        .optional()
        .meta({ description: 'Posted by the account itself once the post is live' }),
      collaborators: z
        .array(username(), 'must be a list of usernames')
        .max(mostCollaborators, `must name at most ${mostCollaborators}`)
        .optional()
        .meta({ description: 'Usernames that are asked to be co-authors' }),
      altText: z
        .union([altText(), z.array(altText())], `must be a string of at most ${altTextCharacters} characters`)
        .optional()
        .meta({ description: 'Of the image; for a carousel a list in the order of its items' }),
      userTags: z
        .array(
          z.object({
            username: username(),
            x: z.number().min(0).max(1).optional(),
            y: z.number().min(0).max(1).optional(),
          }),
        )
        .max(mostUserTags, `must tag at most ${mostUserTags}`)
        .optional()
        .meta({ description: 'People in the picture; `x` and `y` from 0 to 1 are required for images' }),
      thumbOffset: z
        .int('must be a whole number of milliseconds')
        .nonnegative()
        .optional()
        .meta({ description: 'Reels: the frame that serves as cover, in milliseconds; `coverUrl` wins' }),
      audioName: z.string('must be a string').max(255).optional(),
      trialReel: z
        .enum(['MANUAL', 'SS_PERFORMANCE'], 'must be MANUAL or SS_PERFORMANCE')
        .optional()
        .meta({ description: 'Reels: shown to non-followers first; how it becomes a real one' }),
      isAiGenerated: z.boolean('must be true or false').optional(),
    })
    .meta({ id: 'InstagramOptions' }),
);
export type InstagramOptions = z.infer<typeof InstagramOptions>;

export type PostKind = 'image' | 'reel' | 'carousel' | 'story';

/** What the media and the options make of a post. */
export function postKind(media: readonly { type: MediaType }[], options: InstagramOptions): PostKind {
  if ((options.contentType ?? options.type) === 'story') return 'story';
  if (media.length > 1) return 'carousel';
  return media[0]?.type === 'video' ? 'reel' : 'image';
}
