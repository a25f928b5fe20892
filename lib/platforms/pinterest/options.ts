import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import {
  aiDisclosures,
  altTextCharacters,
  descriptionCharacters,
  linkCharacters,
  titleCharacters,
} from './limits.ts';

/** Makes the schema of a Pinterest id: a string of digits, too long for a JSON number. */
const id = (what: string) =>
  z
    .string({
      error: ({ input }) => (input === undefined ? `is required: ${what}` : `must be ${what}, as a string`),
    })
    .regex(/^\d+$/, `must be ${what}, which has digits only`);

/** Makes the schema of a text. Counts code points, as Pinterest does. */
const text = (maxCharacters: number) =>
  z
    .string('must be a string')
    .refine((words) => [...words].length <= maxCharacters, `must have at most ${maxCharacters} characters`);

const link = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(linkCharacters, `must have at most ${linkCharacters} characters`);

/**
 * Makes the schema of a cover frame's time. An integer in the OpenAPI description 5.23 (PinMediaSourceVideoID):
 * Pinterest refuses 2.5.
 */
const seconds = () =>
  z.int('must be a whole number of seconds').nonnegative('must not be negative').optional();

const CarouselItem = z.object({
  title: text(titleCharacters).optional(),
  description: text(descriptionCharacters).optional(),
  link: link().optional(),
});

/** `platformSpecificData` of a Pinterest destination. Built on first use: most requests need only one platform. */
export const PinterestOptions = z.lazy(() =>
  z
    .object({
      boardId: id("the id of one of the account's boards").meta({
        description: 'The board for the Pin. `GET /v1/accounts/{id}/boards` lists the boards',
      }),
      boardSectionId: id('the id of a section of the board').optional().meta({
        description: '`GET /v1/accounts/{id}/boards/{boardId}/sections` lists the sections',
      }),
      title: text(titleCharacters).optional(),
      link: link().optional().meta({ description: 'The URL that the Pin links to' }),
      altText: text(altTextCharacters).optional().meta({
        description: 'Describes the Pin. Default: the `altText` of the media item that is shown first',
      }),
      aiDisclosures: z
        .array(z.enum(aiDisclosures, `must be ${aiDisclosures.join(' or ')}`), 'must be a list')
        .transform((values) => [...new Set(values)])
        .optional()
        .meta({
          description:
            'Discloses that the Pin was modified by AI, or shows a performer that AI has made. Default: none',
        }),
      dominantColor: z
        .string('must be a color such as #6E7874')
        .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #6E7874')
        .optional()
        .meta({ description: 'Shown while the image is loading' }),
      coverKeyFrameSeconds: seconds().meta({
        description:
          'Only for videos: the frame that becomes the cover, unless `coverUrl` is set. Default: 1',
      }),
      coverImageKeyFrameTime: seconds().meta({ description: 'Alias of `coverKeyFrameSeconds`' }),
      coverImageUrl: z
        .url({ protocol: /^https$/, error: 'must be an https URL' })
        .max(linkCharacters, `must have at most ${linkCharacters} characters`)
        .optional()
        .meta({
          description:
            'Only for videos: the public URL of a cover for this destination, in place of `coverUrl`. Pinterest downloads it when the Pin is created; Herald neither checks nor keeps the file',
        }),
      carouselItems: z
        .array(CarouselItem, 'must be a list of { title, description, link }')
        .optional()
        .meta({ description: "Only for several images: each image's texts and link, in the same order" }),
      carouselCoverIndex: z
        .int('must be a whole number')
        .nonnegative('must not be negative')
        .optional()
        .meta({ description: 'Only for several images: the index of the image that is shown first, from 0' }),
    })
    .meta({ id: 'PinterestOptions' }),
);
export type PinterestOptions = z.infer<typeof PinterestOptions>;

export type PinKind = 'image' | 'video' | 'carousel';

/** Returns the kind of Pin that results from the media. */
export function pinKind(media: readonly { type: MediaType }[]): PinKind {
  if (media.length > 1) return 'carousel';
  return media[0]?.type ?? 'image';
}
