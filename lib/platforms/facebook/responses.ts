import * as z from 'zod';
import { parsePlatformJson } from '../shared/json.ts';
import { GraphId } from '../shared/meta/graph.ts';
import { directLink, type ListedPost } from './map.ts';

const text = z.string().optional().catch(undefined);
export const WithId = z.object({ id: GraphId });
export const Success = z.object({ success: z.literal(true) });
export const SuccessfulStory = Success.extend({ post_id: GraphId.optional().catch(undefined) });
export const HostedVideo = z.object({ video_id: GraphId });

const offset = z.coerce.number().int().nonnegative();
export const Offsets = z.object({ start_offset: offset, end_offset: offset });
export type Offsets = z.infer<typeof Offsets>;
export const ChunkedVideo = Offsets.extend({ video_id: GraphId, upload_session_id: GraphId });
/** The error for an unexpected chunk. It names the chunk that Facebook expects. */
export const WantedChunk = z.object({
  error: z.object({
    error_data: z.union([
      Offsets,
      z
        .string()
        .transform((data): unknown => parsePlatformJson(data))
        .pipe(Offsets),
    ]),
  }),
});

const Target = z.object({
  media_type: text,
  target: z
    .object({ id: GraphId.optional().catch(undefined), url: text })
    .optional()
    .catch(undefined),
});
const attachments = z
  .object({
    data: z.array(
      Target.extend({
        subattachments: z
          .object({ data: z.array(Target) })
          .optional()
          .catch(undefined),
      }),
    ),
  })
  .optional()
  .catch(undefined);
const StoredPost = z.object({
  id: GraphId,
  message: text,
  created_time: text,
  permalink_url: text,
  attachments,
});
/** A post in a list of the Page. */
export const PagePost = StoredPost.transform(toListedPost);

/** A story in a list of the Page. */
export const Story = z.object({
  post_id: GraphId,
  media_id: GraphId.optional().catch(undefined),
  url: text,
  /** Unix time in seconds. */
  creation_time: z.coerce.number().optional().catch(undefined),
});

/** A reel in the list of the Page. */
export const Reel = z
  .object({ created_time: text, updated_time: text })
  .transform(({ created_time, updated_time }) => Date.parse(created_time ?? updated_time ?? ''));

const Phase = z
  .object({
    status: text,
    publish_status: text,
    publish_time: z.number().optional().catch(undefined),
    error: z.object({ message: text }).optional().catch(undefined),
    errors: z
      .array(z.object({ message: text }))
      .optional()
      .catch(undefined),
  })
  .transform(({ error, errors, ...phase }) => ({ ...phase, message: error?.message ?? errors?.[0]?.message }))
  .optional()
  .catch(undefined);
export const Video = z.object({
  status: z.object({
    video_status: text,
    uploading_phase: Phase,
    processing_phase: Phase,
    publishing_phase: Phase,
  }),
  published: z.boolean().optional().catch(undefined),
  post_id: GraphId.optional().catch(undefined),
  permalink_url: text,
});

export const Comments = z.object({
  data: z.array(z.object({ message: text, from: z.object({ id: GraphId }).optional().catch(undefined) })),
});

export const Permalink = z.object({ permalink_url: text });

/** An error of the upload host, which has a format of its own. */
export const UploadError = z.object({
  debug_info: z.object({ type: z.string().catch('upload'), message: z.string().catch('') }),
});

/** The `media_type` of a shared link's preview. */
const linkTypes = ['link', 'share'];

/** Returns a listed post with the ids of its photos and videos and, apart from them, its link previews. */
function toListedPost({ attachments: shown, ...listed }: z.infer<typeof StoredPost>): ListedPost {
  const attachments = (shown?.data ?? []).flatMap((item) => [item, ...(item.subattachments?.data ?? [])]);
  const isLink = ({ media_type = '' }: { media_type?: string | undefined }) => linkTypes.includes(media_type);
  return {
    ...listed,
    attached: attachments.flatMap((item) => (isLink(item) ? [] : (item.target?.id ?? []))),
    links: attachments.flatMap((item) =>
      isLink(item) && item.target?.url ? directLink(item.target.url) : [],
    ),
  };
}
