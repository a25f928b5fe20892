import { liveMedia, type MeasuredMedia } from '../kit/media/media-intake.ts';
import type { Workbench } from '../kit/types.ts';
import { photoProblem, videoProblem } from './media-rules.ts';
import type { Standing } from './standing.ts';
import { nextPostId, type Publish, permalinkOf, type State } from './state.ts';

/** A step that is not a request. A planned fault fails the post (`error:<fail_reason>`) or never ends (`timeout`). */
export const processingStep = 'processing';

/** Decides the outcome of a post once all its bytes have arrived. */
export interface Ending {
  /** Checks the files and makes the post live, or fails it. @param at when the last byte, or the init, arrived */
  settle(publishId: string, media: readonly MeasuredMedia[], at: number): void;
  fail(publishId: string, failReason: string, at: number): void;
}

export function openEnding(
  { ledger, faults, setting }: Workbench,
  { publishes, users }: State,
  standing: Standing,
): Ending {
  function problemOf(publish: Publish, media: readonly MeasuredMedia[], at: number): string | undefined {
    const user = users.get(publish.username);
    if (user === undefined) return 'auth_removed';
    const problems = media.map((file) =>
      publish.kind === 'video' ? videoProblem(file, user.maxVideoSeconds) : photoProblem(file),
    );
    const obstacle = publish.isDraft ? undefined : standing.obstacle(user, at);
    return problems.find((problem) => problem !== undefined) ?? obstacle;
  }

  function mustGet(id: string): Publish {
    const publish = publishes.get(id);
    if (publish === undefined) throw new Error(`no publish ${id}`);
    return publish;
  }

  return {
    settle(publishId, measured, at) {
      const publish = mustGet(publishId);
      const media = measured.map(liveMedia);
      const planned = faults.take(processingStep);
      const neverEnds = planned?.fault === 'timeout';
      const endsAt = neverEnds ? null : at + Number(setting('processingSeconds')) * 1000;
      const failReason = planned?.code ?? problemOf(publish, measured, at);
      if (failReason !== undefined || neverEnds) {
        const end = { at: endsAt, media, ...(failReason !== undefined && { failReason }) };
        publishes.put(publishId, { ...publish, end });
        return;
      }
      const { isDraft } = publish;
      // A draft is listed with the live posts, so that tests can count it. Nobody else sees it.
      const postId = isDraft ? publishId : nextPostId(ledger);
      const { title, description, ...details } = publish.info;
      ledger.transaction(() => {
        publishes.put(publishId, { ...publish, end: { at: endsAt, ...(!isDraft && { postId }), media } });
        ledger.posts.put(postId, {
          id: postId,
          accountId: users.get(publish.username)?.openId ?? '',
          permalink: isDraft ? '' : permalinkOf(publish, postId),
          content: description ?? title,
          media,
          details: {
            ...details,
            ...(isDraft && { isDraft }),
            ...(publish.kind === 'photos' && { title, photo_cover_index: publish.photoCoverIndex }),
          },
          publishedAt: at,
        });
      });
    },
    fail(publishId, failReason, at) {
      publishes.put(publishId, { ...mustGet(publishId), end: { at, failReason, media: [] } });
    },
  };
}
