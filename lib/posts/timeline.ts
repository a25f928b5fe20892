import * as z from 'zod';
import type { Context } from '../api-contract/context.ts';
import { Timestamp } from '../api-contract/fields.ts';
import { Platform } from '../platforms/contract/names.ts';
import { LaterTimelineEvent, PlatformCall, TimelineEvent, triesOf } from '../targets/timeline.ts';
import { readPost } from './read.ts';
import type { Post } from './stored/schemas.ts';

/** The events of a post itself. They are not stored: they follow from its fields. */
const PostEvent = z.enum(['created', 'approval requested', 'approved', 'declined']);

/** One event of a post or a destination. */
export const TimelineEntryView = z
  .object({
    at: Timestamp,
    accountId: z.uuid().nullable().meta({ description: 'The destination; null for the post itself' }),
    platform: Platform.nullable(),
    event: z.union([PostEvent, TimelineEvent, LaterTimelineEvent]).meta({
      description:
        '`paused`: the operators of the service have paused the platform, the account or the workspace, for the given `reason`. `resumed`: the pause has ended. A destination that is more than 24 hours late by then fails as `missed`. `files ready`: long before its time, the files of a planned destination have arrived, and those that its platform does not take as they are have been converted; `reason` says how. `approval requested`: somebody who may not publish has created or changed the draft last. `approved`, `declined`: the decision about that, for the given `reason`. `part published`: another part of a thread is live; `reason` says which. `discarded`: an upload that was not published, such as a private video, was deleted at the platform. `not discarded`: it could not be, for the given `reason`; Herald tries again for 30 days. `removal requested`: somebody has asked to take the live post down. `removing`: it is about to be deleted at the platform. `part removed`: a part of a thread is deleted; `reason` says how many. `removed`: it is gone; with a `reason` if somebody had deleted it there. `not removed`: it could not be deleted, for the given `reason`; `nextAt` says when Herald tries again',
    }),
    attempt: z.int().nullable().meta({
      description:
        'The try that the step belongs to, counted per destination from 1. After `trying again`, `nothing went live` and `failed`, the next step begins another try',
    }),
    calls: z
      .array(PlatformCall)
      .meta({ description: 'Calls to the platform: URL without its query, and status' }),
    reason: z.string().nullable(),
    nextAt: Timestamp.nullable().meta({ description: 'Time at which work on the destination continues' }),
    files: z
      .array(
        z.object({
          mediaId: z.uuid(),
          sha256: z
            .string()
            .nullable()
            .meta({ description: 'Hexadecimal; null for files uploaded before it was recorded' }),
          renditionId: z.string().nullable().meta({
            description:
              'The rendition that was published in place of the file, whose digest `sha256` is; null if the file itself was published',
          }),
        }),
      )
      .meta({
        description: 'At `going live`: the files that are published, with the SHA-256 of their bytes',
      }),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntryView = z.infer<typeof TimelineEntryView>;

/**
 * Returns the events of a post and each of its destinations, oldest first.
 *
 * @throws HeraldError `not_found`
 */
export async function readTimeline(context: Context, postId: string): Promise<TimelineEntryView[]> {
  const { post, targets } = await readPost(context, postId);
  const ofPost = postEventsOf(post).map(({ at, event, reason = null }) => ({
    at,
    accountId: null,
    platform: null,
    event,
    attempt: null,
    calls: [],
    reason,
    nextAt: null,
    files: [],
  }));
  const steps = targets.flatMap(({ accountId, platform, timeline }) => {
    const tries = triesOf(timeline);
    return timeline.map(({ at, event, laterEvent = event, calls, ...entry }, index) => ({
      at,
      event: laterEvent,
      attempt: tries[index] ?? null,
      calls,
      reason: entry.reason ?? null,
      nextAt: entry.nextAt ?? null,
      files: (entry.files ?? []).map(({ mediaId, sha256 = null, renditionId = null }) => ({
        mediaId,
        sha256,
        renditionId,
      })),
      accountId,
      platform,
    }));
  });
  return [...ofPost, ...steps].sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

interface PostStep {
  readonly at: string;
  readonly event: z.infer<typeof PostEvent>;
  readonly reason?: string | undefined;
}

/** Returns the events of a post itself, oldest first. Of its approval, only the latest request and the decision about it are known. */
function postEventsOf({ createdAt, approval }: Post): PostStep[] {
  const created = { at: createdAt, event: 'created' } as const;
  if (approval === undefined) return [created];
  const { state, requestedAt, decidedAt, note } = approval;
  const requested = { at: requestedAt, event: 'approval requested' } as const;
  if (state === 'waiting' || decidedAt === undefined) return [created, requested];
  return [created, requested, { at: decidedAt, event: state, reason: note }];
}
