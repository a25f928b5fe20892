import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { altTextCharacters, documentLimits } from './limits.ts';

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);
const words = () =>
  z
    .string('must be a string')
    .transform((text) => text.trim())
    .refine((text) => text !== '', 'must not be empty');

/** `platformSpecificData` of a LinkedIn destination. Built when it is first used: most requests need one platform's. */
export const LinkedinOptions = z.lazy(() =>
  z
    .object({
      visibility: z
        .enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'], 'must be PUBLIC, CONNECTIONS or LOGGED_IN')
        .optional()
        .meta({ description: '`PUBLIC` by default' }),
      disableReshare: z
        .boolean('must be true or false')
        .optional()
        .meta({ description: 'Nobody can share the post on; `false` by default' }),
      altText: z
        .union([altText(), z.array(altText())], `must be a string of at most ${altTextCharacters} characters`)
        .optional()
        .meta({ description: 'Of the image or video; for several images a list in their order' }),
      title: words()
        .optional()
        .meta({ description: 'Of a document or a link, which need one, or of a video' }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({
          description: 'Shown as an article. LinkedIn reads nothing from the page; one image is its preview',
        }),
      description: words().optional().meta({ description: 'Of the link' }),
    })
    .meta({ id: 'LinkedinOptions' }),
);
export type LinkedinOptions = z.infer<typeof LinkedinOptions>;

/** What LinkedIn makes of one file. */
export type AssetKind = 'image' | 'video' | 'document';

/** A document has no media type of its own here: it is told by its content type. */
export function assetKind(file: { readonly type: MediaType; readonly contentType?: string }): AssetKind {
  const types: readonly string[] = documentLimits.contentTypes;
  return types.includes(file.contentType?.toLowerCase() ?? '') ? 'document' : file.type;
}
