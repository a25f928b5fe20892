import * as z from 'zod';
import { characterCount } from '../shared/text.ts';
import { tagsCharacters, titleCharacters } from './limits.ts';

const privacy = () =>
  z.enum(['public', 'unlisted', 'private'], 'must be public, unlisted or private').optional();
const flag = () => z.boolean('must be true or false').optional();

/** The length of all tags as YouTube counts it: commas between them, quotation marks around one with a space. */
export function tagsLength(tags: readonly string[]): number {
  const characters = tags.map((tag) => characterCount(tag) + (/\s/.test(tag) ? 2 : 0));
  return characters.reduce((sum, count) => sum + count, Math.max(0, tags.length - 1));
}

const tags = () =>
  z
    .union([z.string().transform((list) => list.split(',')), z.array(z.string())], 'must be a list of texts')
    .transform((list) => list.map((tag) => tag.trim()).filter((tag) => tag !== ''))
    .refine(
      (list) => tagsLength(list) <= tagsCharacters,
      `must have at most ${tagsCharacters} characters in all`,
    )
    .refine((list) => !list.some((tag) => /[<>]/.test(tag)), 'must not contain < or >');

/** `platformSpecificData` of a YouTube destination. Built when it is first used: most requests need one platform's. */
export const YoutubeOptions = z.lazy(() =>
  z
    .object({
      title: z
        .string('must be a string')
        .refine((title) => title.trim() !== '', 'must not be empty')
        .refine(
          (title) => characterCount(title) <= titleCharacters,
          `must have at most ${titleCharacters} characters`,
        )
        .refine((title) => !/[<>]/.test(title), 'must not contain < or >')
        .optional()
        .meta({ description: 'By default the first line of the content' }),
      privacy: privacy().meta({ description: '`public` by default' }),
      privacyStatus: privacy().meta({ description: 'The same as `privacy`' }),
      visibility: privacy().meta({ description: 'The same as `privacy`' }),
      tags: tags().optional().meta({ description: 'A list, or one text with commas' }),
      categoryId: z
        .union([z.string(), z.int()])
        .transform(String)
        .refine((id) => /^\d{1,3}$/.test(id), 'must be the number of a category')
        .optional()
        .meta({ description: 'Number of a YouTube category; 22, People & Blogs, by default' }),
      madeForKids: flag().meta({ description: '`false` by default' }),
      notifySubscribers: flag().meta({ description: '`true` by default' }),
      containsSyntheticMedia: flag().meta({ description: 'Altered or synthetic content is disclosed' }),
      defaultLanguage: z.string('must be a language tag, such as en').max(35).optional(),
      license: z.enum(['youtube', 'creativeCommon'], 'must be youtube or creativeCommon').optional(),
      embeddable: flag(),
      publicStatsViewable: flag(),
    })
    .meta({ id: 'YoutubeOptions' }),
);
export type YoutubeOptions = z.infer<typeof YoutubeOptions>;
