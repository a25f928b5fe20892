import * as z from 'zod';
import { refuse } from './errors.ts';

const digits = z.string().regex(/^\d+$/);
const Item = z.strictObject({
  url: z.url(),
  title: z.string().max(100).optional(),
  description: z.string().max(800).optional(),
  link: z.string().max(2048).optional(),
});

/** The creator's declarations about AI in a Pin. They are in SDKs that are generated from descriptions newer than 5.23. */
const AiDisclosures = z.strictObject({
  values: z.array(z.enum(['AI_MODIFIED', 'SYNTHETIC_PERFORMER'])).min(1),
});

/** The request of "Create Pin" in the OpenAPI description 5.23, without features that only some partners have. */
const PinRequest = z.object({
  board_id: digits,
  board_section_id: digits.optional(),
  title: z.string().max(100).optional(),
  description: z.string().max(800).optional(),
  link: z.string().max(2048).optional(),
  alt_text: z.string().max(500).optional(),
  dominant_color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .optional(),
  ai_disclosures: AiDisclosures.optional(),
  media_source: z.discriminatedUnion('source_type', [
    z.strictObject({
      source_type: z.literal('image_url'),
      url: z.url(),
      is_standard: z.boolean().optional(),
    }),
    z.strictObject({
      source_type: z.literal('multiple_image_urls'),
      items: z.array(Item).min(2).max(5),
      index: z.int().min(0).optional(),
    }),
    z.strictObject({
      source_type: z.literal('video_id'),
      media_id: digits,
      cover_image_url: z.url().optional(),
      cover_image_key_frame_time: z.int().min(0).optional(),
    }),
  ]),
});
export type PinRequest = z.infer<typeof PinRequest>;

/** @throws Refusal with 400 and the message of the schema check, as Pinterest does */
export function readPinRequest(fields: Readonly<Record<string, unknown>>): PinRequest {
  const result = PinRequest.safeParse(fields);
  if (!result.success) {
    const [issue] = result.error.issues;
    refuse('400/1', `Invalid request: '${issue?.path.join('.')}': ${issue?.message}`);
  }
  const { media_source: source } = result.data;
  if (source.source_type === 'video_id') {
    const covers = [source.cover_image_url, source.cover_image_key_frame_time];
    if (covers.filter((cover) => cover !== undefined).length !== 1) {
      refuse('400/1', 'Exactly one of cover_image_url and cover_image_key_frame_time is needed for a video');
    }
  }
  if (source.source_type === 'multiple_image_urls' && (source.index ?? 0) >= source.items.length) {
    refuse('400/1', `Invalid request: 'media_source.index' is beyond the ${source.items.length} items`);
  }
  return result.data;
}
