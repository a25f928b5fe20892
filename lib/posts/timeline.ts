import * as z from 'zod';
import type { Context } from '../api-contract/context.ts';
import { Timestamp } from '../api-contract/fields.ts';
import { Platform } from '../platforms/contract/names.ts';
import { LaterTimelineEvent, PlatformCall, TimelineEvent, triesOf } from '../targets/timeline.ts';
import { readPost } from './read.ts';

/** One event of a post or a destination. */
export const TimelineEntryView = z
  .object({
    at: Timestamp,
    accountId: z.uuid().nullable().meta({ description: 'The destination; null for the post itself' }),
    platform: Platform.nullable(),
    event: z.union([z.literal('created'), TimelineEvent, LaterTimelineEvent]).meta({
      description:
        '`paused`: the operators of the service have paused the platform, the account or the workspace, for the given `reason`. `resumed`: the pause has ended. A destination that is more than 24 hours late by then fails as `missed`. `files ready`: long before its time, the files of a planned destination have arrived, and those that its platform does not take as they are have been converted; `reason` says how. `part published`: another part of a thread is live; `reason` says which. `discarded`: an upload that was not published, such as a private video, was deleted at the platform. `not discarded`: it could not be, for the given `reason`; Herald tries again for 30 days. `removal requested`: somebody has asked to take the live post down. `removing`: it is about to be deleted at the platform. `part removed`: a part of a thread is deleted; `reason` says how many. `removed`: it is gone; with a `reason` if somebody had deleted it there. `not removed`: it could not be deleted, for the given `reason`; `nextAt` says when Herald tries again',
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
  const created: TimelineEntryView = {
    at: post.createdAt,
    accountId: null,
    platform: null,
    event: 'created',
    attempt: null,
    calls: [],
    reason: null,
    nextAt: null,
    files: [],
  };
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
  return [created, ...steps.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0))];
}
