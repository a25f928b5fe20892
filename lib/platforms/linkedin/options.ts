import * as z from 'zod';
import type { MediaType } from '../contract/names.ts';
import { altTextCharacters, articleCharacters, documentLimits } from './limits.ts';

const altText = () => z.string().max(altTextCharacters, `must have at most ${altTextCharacters} characters`);
const nonEmptyText = () =>
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
        .meta({ description: 'Who can see the post. Default: `PUBLIC`' }),
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
          description: `Required for a document or a link, optional for a video. Of a link: at most ${articleCharacters.title} characters`,
        }),
      link: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .meta({
          description:
            'Shown as an article. LinkedIn does not read the linked page; the post may have one image as its preview',
        }),
      description: nonEmptyText()
        .optional()
        .meta({ description: `Describes the link. At most ${articleCharacters.description} characters` }),
    })
    .meta({ id: 'LinkedinOptions' }),
);
export type LinkedinOptions = z.infer<typeof LinkedinOptions>;

/** The kind of asset that a file becomes at LinkedIn. */
export type AssetKind = 'image' | 'video' | 'document';

/** The kind of asset of a file. Herald has no media type for documents, so the content type decides. */
export function assetKind(file: { readonly type: MediaType; readonly contentType?: string }): AssetKind {
  const types: readonly string[] = documentLimits.contentTypes;
  return types.includes(file.contentType?.toLowerCase() ?? '') ? 'document' : file.type;
}
