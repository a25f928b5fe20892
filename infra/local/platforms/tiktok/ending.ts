import { liveMedia, type MeasuredMedia } from '../kit/media/media-intake.ts';
import type { Workbench } from '../kit/types.ts';
import type { Standing } from './standing.ts';
import { nextPostId, type Publish, permalinkOf, type State } from './state.ts';

/** A step that is not a request. A planned fault fails the post (`error:<fail_reason>`) or never ends (`timeout`). */
export const processingStep = 'processing';

/** Decides the outcome of a post once all its bytes have arrived. */
export interface Ending {
  /**
   * Checks the files and makes the post live, or fails it. Files that TikTok fetched are live only once they are processed.
   *
   * @param at when the last byte, or the init, arrived
   */
  settle(publishId: string, media: readonly MeasuredMedia[], at: number): void;
  fail(publishId: string, failReason: string, at: number): void;
  /** Makes processed posts live. @param now epoch milliseconds */
  goLive(now: number): void;
  /** Returns the time of the next `goLive`, in epoch milliseconds. */
  nextMs(): number | undefined;
}

export function openEnding(
  { clock, ledger, faults, setting }: Workbench,
  { publishes, users }: State,
  standing: Standing,
): Ending {
  /** The time at which the fetched files of a post will be processed, by its publish id. */
  const processing = new Map<string, number>();

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

  /** Makes a post live. A draft is listed with the live posts too, so that tests can count it. Nobody else sees it. */
  function makeLive(publish: Publish, publishedAt: number, viewableAt = publishedAt): void {
    const { isDraft, info, kind, end, photoCoverIndex } = publish;
    const id = postIdOf(publish);
    const { title, description, ...details } = info;
    ledger.posts.put(id, {
      id,
      accountId: users.get(publish.username)?.openId ?? '',
      permalink: isDraft ? '' : permalinkOf(publish, id),
      content: description ?? title,
      media: end?.media ?? [],
      details: {
        ...details,
        ...(isDraft && { isDraft }),
        ...(kind === 'photos' && { title, photo_cover_index: photoCoverIndex }),
      },
      publishedAt,
      ...(viewableAt > publishedAt && { viewableAt }),
    });
  }

  for (const publish of publishes.list()) {
    const { id, end } = publish;
    const isLive = ledger.posts.get(postIdOf(publish)) !== undefined;
    const isDone = end !== undefined && end.at !== null && end.failReason === undefined;
    if (isFetched(publish) && isDone && !isLive) processing.set(id, end.at);
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
      const postId = publish.isDraft ? undefined : nextPostId(ledger);
      const end = { at: endsAt, media, ...(postId !== undefined && { postId }) };
      ledger.transaction(() => {
        publishes.put(publishId, { ...publish, end });
        if (endsAt !== null && endsAt > clock.now() && isFetched(publish)) processing.set(publishId, endsAt);
        else makeLive({ ...publish, end }, at);
      });
    },
    fail(publishId, failReason, at) {
      publishes.put(publishId, { ...mustGet(publishId), end: { at, failReason, media: [] } });
    },
    goLive(now) {
      for (const [publishId, endsAt] of processing) {
        if (endsAt > now) continue;
        processing.delete(publishId);
        const publish = mustGet(publishId);
        ledger.writtenAt(endsAt, () => makeLive(publish, publish.beganAt, endsAt));
      }
    },
    nextMs: () => (processing.size === 0 ? undefined : Math.min(...processing.values())),
  };
}

const isFetched = ({ urls }: Publish): boolean => urls.length > 0;

/** Returns the id of the live post. TikTok gives a draft none. */
const postIdOf = ({ isDraft, id, end }: Publish): string => (isDraft ? id : (end?.postId ?? id));

const minVideoSeconds = 3;
const videoPixels = { min: 360, max: 4_096 };
const framesPerSecond = { min: 23, max: 60 };
const photoBytes = 20_000_000;
const photoPixels = 1_080;

/** H.264, H.265, VP8 and VP9, as MP4 and WebM name them. */
const videoCodecs = ['avc1', 'avc3', 'hvc1', 'hev1', 'vp08', 'vp09', 'V_VP8', 'V_VP9'];
/** The times of frames are rounded, and so their average is not exact. */
const rateTolerance = 1.001;

/** Returns the `fail_reason` of a video ("Media Transfer Guide"), or undefined. */
function videoProblem({ mp4, webm, type }: MeasuredMedia, maxSeconds: number): string | undefined {
  const file = type === 'video/webm' ? webm : mp4;
  if (file?.video === undefined || !videoCodecs.includes(file.video.codec)) return 'file_format_check_failed';
  const { width, height, framesPerSecond: rate } = file.video;
  if (file.durationSeconds < minVideoSeconds || file.durationSeconds > maxSeconds) {
    return 'duration_check_failed';
  }
  const { min, max } = framesPerSecond;
  if (rate !== undefined && (rate < min / rateTolerance || rate > max * rateTolerance))
    return 'frame_rate_check_failed';
  const sides = [width, height];
  const isSized = sides.every((side) => side >= videoPixels.min && side <= videoPixels.max);
  return isSized ? undefined : 'picture_size_check_failed';
}

/** Returns the `fail_reason` of a photo, or undefined. */
function photoProblem({ type, bytes, jpeg, isCutImage }: MeasuredMedia): string | undefined {
  if (type !== 'image/jpeg' && type !== 'image/webp') return 'file_format_check_failed';
  if ((type === 'image/jpeg' && jpeg === undefined) || isCutImage) return 'file_format_check_failed';
  const isTooLarge = jpeg !== undefined && Math.min(jpeg.width, jpeg.height) > photoPixels;
  return isTooLarge || bytes > photoBytes ? 'picture_size_check_failed' : undefined;
}
