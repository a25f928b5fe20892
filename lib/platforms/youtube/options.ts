import * as z from 'zod';
import { characterCount, isBlank, utf8Bytes } from '../shared/text.ts';
import {
  captionLimits,
  categories,
  commentCharacters,
  playlistIdCharacters,
  refusedCharacters,
  tagsCharacters,
  titleCharacters,
} from './limits.ts';

const privacy = () =>
  z.enum(['public', 'unlisted', 'private'], 'must be public, unlisted or private').optional();
const flag = () => z.boolean('must be true or false').optional();

/** Returns the length of all tags as YouTube counts it: with commas between tags, and quotes around tags with spaces. */
export function tagsLength(tags: readonly string[]): number {
  const characters = tags.map((tag) => characterCount(tag) + (/\s/.test(tag) ? 2 : 0));
  return characters.reduce((sum, count) => sum + count, Math.max(0, tags.length - 1));
}

const refusal = 'must not contain <, > or control characters, such as line breaks';
const isAccepted = (text: string) => text.search(refusedCharacters) < 0;

const tags = () =>
  z
    .union(
      [z.string().transform((list) => list.split(',')), z.array(z.string())],
      'must be a list of strings',
    )
    .transform((list) => list.map((tag) => tag.trim()).filter((tag) => tag !== ''))
    .refine(
      (list) => tagsLength(list) <= tagsCharacters,
      `must have at most ${tagsCharacters} characters in total`,
    )
    .refine((list) => list.every(isAccepted), refusal);

const playlistId = () =>
  z
    .string('must be the id of a playlist')
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{${playlistIdCharacters.min},${playlistIdCharacters.max}}$`),
      'must be the id of a playlist',
    );

/**
 * A time of SubRip (`00:00:01,000 --> 00:00:04,000`) or WebVTT (`00:01.000 --> 00:04.000`). Its blanks are no line breaks: then a search
 * would take a time that grows with the square of the number of empty lines.
 */
const captionTime =
  /^[ \t\uFEFF]*(\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+(\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}/m;

const Caption = z.object(
  {
    language: z
      .string('must be a language tag, such as en')
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a language tag, such as en')
      .max(35)
      .meta({ description: 'A BCP 47 tag, such as `en` or `pt-BR`' }),
    name: z
      .string('must be a string')
      .refine(
        (name) => characterCount(name) <= captionLimits.nameCharacters,
        `must have at most ${captionLimits.nameCharacters} characters`,
      )
      .optional()
      .meta({ description: 'Shown to viewers beside the language. Default: none' }),
    text: z
      .string('must be the text of an SRT or WebVTT file')
      .refine(
        (text) => captionTime.test(text),
        'must be the text of an SRT or WebVTT file: it has no line such as 00:00:01,000 --> 00:00:04,000',
      )
      .meta({ description: 'The whole text of an SRT or WebVTT file' }),
  },
  'must be { language, name, text }',
);

const captions = () =>
  z
    .array(Caption, 'must be a list of { language, name, text }')
    .max(captionLimits.tracks, `must have at most ${captionLimits.tracks} tracks`)
    .refine(
      (tracks) =>
        new Set(tracks.map(({ language, name = '' }) => `${language} ${name}`)).size === tracks.length,
      'must have each language once, or with different names',
    )
    .refine(
      (tracks) => tracks.reduce((sum, { text }) => sum + utf8Bytes(text), 0) <= captionLimits.bytes,
      `must have at most ${captionLimits.bytes} bytes of text in total`,
    )
    .meta({
      description:
        'The caption tracks of the video, uploaded before its due time if possible. A track costs 400 of the 10,000 units that a project has per day',
    });

/** `platformSpecificData` of a YouTube destination. Built on first use: most requests need only one platform. */
export const YoutubeOptions = z.lazy(() =>
  z
    .object({
      title: z
        .string('must be a string')
        .refine((title) => !isBlank(title), 'must not be empty')
        .refine(
          (title) => characterCount(title) <= titleCharacters,
          `must have at most ${titleCharacters} characters`,
        )
        .refine((title) => isAccepted(title.trim()), refusal)
        .optional()
        .meta({ description: 'Default: the first visible line of the content' }),
      privacy: privacy().meta({ description: 'Audience of the video. Default: `public`' }),
      privacyStatus: privacy().meta({ description: 'Alias of `privacy`' }),
      visibility: privacy().meta({ description: 'Alias of `privacy`' }),
      tags: tags().optional().meta({ description: 'A list of strings, or one string with commas' }),
      categoryId: z
        .union([z.string(), z.int()])
        .transform(String)
        .refine((id) => /^\d{1,3}$/.test(id), 'must be the number of a YouTube category')
        .refine(
          (id) => !categories.notAssignable.includes(id),
          `is a category that YouTube keeps for itself: use one of ${categories.assignable.join(', ')}`,
        )
        .optional()
        .meta({ description: 'The number of a YouTube category. Default: 22 (People & Blogs)' }),
      madeForKids: flag().meta({ description: 'Declares that the video is made for kids. Default: `false`' }),
      notifySubscribers: flag().meta({ description: "Notifies the channel's subscribers. Default: `true`" }),
      containsSyntheticMedia: flag().meta({ description: 'Discloses altered or synthetic content' }),
      defaultLanguage: z.string('must be a language tag, such as en').max(35).optional(),
      license: z.enum(['youtube', 'creativeCommon'], 'must be youtube or creativeCommon').optional(),
      embeddable: flag(),
      publicStatsViewable: flag(),
      hasPaidProductPlacement: flag().meta({
        description: 'Declares that the video has a paid product placement, sponsorship or endorsement',
      }),
      playlistId: playlistId().optional().meta({
        description:
          "One of the channel's playlists, to which the video is added, before its due time if possible. `GET /v1/accounts/{id}/playlists` lists them",
      }),
      firstComment: z
        .string('must be a string')
        .refine(
          (text) => characterCount(text) <= commentCharacters,
          `must have at most ${commentCharacters} characters`,
        )
        .optional()
        .meta({
          description:
            'A comment that the channel posts once the video is live. Not for private videos and videos made for kids',
        }),
      captions: captions().optional(),
    })
    .meta({ id: 'YoutubeOptions' }),
);
export type YoutubeOptions = z.infer<typeof YoutubeOptions>;
