import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { isBlank } from '../shared/text.ts';
import {
  altTextCharacters,
  articleCharacters,
  commentCharacters,
  documentLimits,
  maxGeoLocations,
  pollLimits,
} from './limits.ts';
import { readPostReference } from './post-reference.ts';

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);
const nonEmptyText = () =>
  z
    .string('must be a string')
    .transform((text) => text.trim())
    .refine((text) => !isBlank(text), 'must not be empty');

const shortText = (most: number) =>
  nonEmptyText().refine((text) => text.length <= most, `must have at most ${most} characters`);

const { options: optionCount, questionCharacters, optionCharacters } = pollLimits;

/** Makes the schema of a poll. Refuses unknown keys: without them, it would be another poll. */
const Poll = () =>
  z.strictObject(
    {
      question: shortText(questionCharacters).meta({
        description: `At most ${questionCharacters} characters`,
      }),
      options: z
        .array(shortText(optionCharacters), `must be a list of texts`)
        .min(optionCount.min, `must have from ${optionCount.min} to ${optionCount.max} entries`)
        .max(optionCount.max, `must have from ${optionCount.min} to ${optionCount.max} entries`)
        .meta({ description: `Each of at most ${optionCharacters} characters` }),
      duration: z
        .enum(
          ['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'],
          'must be ONE_DAY, THREE_DAYS, SEVEN_DAYS or FOURTEEN_DAYS',
        )
        .default('SEVEN_DAYS')
        .meta({ description: 'Time in which people can vote' }),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `has unknown keys: ${issue.keys.join(', ')}`
          : 'must be an object with question, options and duration',
    },
  );

/** `platformSpecificData` of a LinkedIn destination. Built on first use: most requests need only one platform. */
export const LinkedinOptions = z.lazy(() =>
  z
    .object({
      visibility: z
        .enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'], 'must be PUBLIC, CONNECTIONS or LOGGED_IN')
        .optional()
        .meta({ description: 'Audience of the post. Default: `PUBLIC`' }),
      geoLocations: z
        .array(
          z
            .string()
            .trim()
            .transform((place) => (/^\d+$/.test(place) ? `urn:li:geo:${place}` : place))
            .pipe(
              z
                .string()
                .regex(/^urn:li:geo:\d+$/, 'must be LinkedIn’s id of a place, such as urn:li:geo:103644278'),
            ),
          'must be a list of places',
        )
        .max(maxGeoLocations, `must have at most ${maxGeoLocations} places`)
        .optional()
        .meta({
          description:
            'Only for organizations: only members in these countries, regions or cities see the post. LinkedIn’s ids, such as `urn:li:geo:103644278` (United States). LinkedIn refuses an audience of fewer than 300 members. Default: everybody',
        }),
      disableReshare: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Prevents others from resharing the post. Default: `false`' }),
      altText: z
        .union([altText(), z.array(altText())], `must be a string of at most ${altTextCharacters} characters`)
        .optional()
        .meta({ description: 'Describes the image or video. For several images, a list in the same order' }),
      title: nonEmptyText()
        .optional()
        .meta({
          description: `The title of a link, a video or a document. Of a link: at most ${articleCharacters.title} characters; default: its address`,
        }),
      documentTitle: nonEmptyText().optional().meta({
        description:
          'The title of a document; the same as `title`. Default: the name of the file, or the first line of the content',
      }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({
          description:
            'Shown as an article with your own `title`, in place of the card of a link in the text; the post may have one image as its preview. The page is not read',
        }),
      description: nonEmptyText()
        .optional()
        .meta({ description: `Describes the link. At most ${articleCharacters.description} characters` }),
      linkPreview: z.boolean('must be true or false').optional().meta({
        description:
          'If true, the first link in the text of a post without media, poll and reshare becomes a card with title, description and picture, which Herald reads from the page when the text is sent. If the page cannot be read, there is a warning and no card. Default: `true`',
      }),
      poll: Poll().optional().meta({
        description:
          'A poll below the content. Cannot be combined with media, a link or a reshare, and cannot be changed once it is live',
      }),
      reshare: z
        .string('must be a string')
        .transform((given, context) => {
          const { urn, problem } = readPostReference(given);
          if (urn !== undefined) return urn;
          context.issues.push({ code: 'custom', message: problem, input: given });
          return z.NEVER;
        })
        .optional()
        .meta({
          description:
            'The post to reshare, below the content: its URN (`urn:li:share:…`, `urn:li:ugcPost:…`) or a URL that contains it. Cannot be combined with media, a link or a poll',
        }),
      firstComment: z
        .string('must be a string')
        .max(commentCharacters, `must have at most ${commentCharacters} characters`)
        .optional()
        .meta({ description: 'A comment that the account posts once the post is live' }),
    })
    .meta({ id: 'LinkedinOptions' }),
);
export type LinkedinOptions = z.infer<typeof LinkedinOptions>;

/** The kind of asset that a file becomes on LinkedIn. */
export type AssetKind = 'image' | 'video' | 'document';

/** Returns the kind of asset for a file. Herald has no media type for documents, so the content type decides. */
export function assetKind(file: { readonly type: MediaType; readonly contentType?: string }): AssetKind {
  const types: readonly string[] = documentLimits.contentTypes;
  return types.includes(file.contentType?.toLowerCase() ?? '') ? 'document' : file.type;
}
