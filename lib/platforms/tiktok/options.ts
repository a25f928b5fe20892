import * as z from 'zod';
import { photoTitleUnits } from './limits.ts';

const privacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const;

const flag = () => z.boolean('must be true or false').optional();

/** `platformSpecificData` of a TikTok destination. Built when it is first used: most requests need one platform's. */
export const TiktokOptions = z.lazy(() =>
  z
    .object({
      privacyLevel: z
        .enum(privacyLevels, {
          error: ({ input }) =>
            `${input === undefined ? 'is required' : 'must be one of'}: ${privacyLevels.join(', ')}`,
        })
        .meta({
          description:
            'Who can see the post. TikTok wants it chosen for each post; which levels there are depends on the account',
        }),
      isAigc: flag().meta({ description: 'Videos: labelled as made by AI' }),
      disableComment: flag(),
      disableDuet: flag().meta({ description: 'Videos' }),
      disableStitch: flag().meta({ description: 'Videos' }),
      brandContentToggle: flag().meta({
        description: 'Disclosed as a paid partnership with another business; never for SELF_ONLY',
      }),
      brandOrganicToggle: flag().meta({ description: 'Disclosed as promoting the own business' }),
      videoCoverTimestampMs: z
        .int('must be a whole number of milliseconds')
        .nonnegative('must not be negative')
        .optional()
        .meta({ description: 'Videos: the frame that is the cover; the first by default' }),
      autoAddMusic: flag().meta({ description: 'Photos: TikTok recommends and adds music' }),
      photoCoverIndex: z
        .int('must be a whole number')
        .nonnegative('must not be negative')
        .optional()
        .meta({ description: 'Photos: which of them is the cover, from 0; the first by default' }),
      title: z
        .string('must be a text')
        .refine((title) => title.length <= photoTitleUnits, `must have at most ${photoTitleUnits} characters`)
        .optional()
        .meta({ description: 'Photos: shown above the content' }),
    })
    .meta({ id: 'TiktokOptions' }),
);
export type TiktokOptions = z.infer<typeof TiktokOptions>;
