import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse, success } from './errors.ts';
import type { Gate } from './gate.ts';
import type { State } from './state.ts';

const counts = ['view_count', 'like_count', 'comment_count', 'share_count'];
const fields = ['id', 'title', 'create_time', ...counts];
/** "Number of video ids should not be larger than 20 at a time." */
const mostIds = 20;

/**
 * `video/query`: the given posts, as far as they are public and the caller's. It leaves out all others.
 * https://developers.tiktok.com/doc/tiktok-api-v2-video-query
 */
export function insightsOperations(
  { numbers, reads }: Workbench,
  { publishes }: State,
  gate: Gate,
): Operation[] {
  function query(call: Call): Answer {
    const { user } = gate.checkCall(call, ['video.list'], 'videoList');
    if (numbers.isRefused) refuse('scope_not_authorized');
    const asked = (call.query.get('fields') ?? '').split(',');
    if (!asked.every((name) => fields.includes(name))) refuse('invalid_params', 'fields');
    const { filters } = call.fields as { filters?: { video_ids?: unknown } };
    const ids = filters?.video_ids;
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > mostIds)
      refuse('invalid_params', 'video_ids');
    const videos = reads.ofState(call, ({ at }) =>
      publishes.list({ owner: user.username }).flatMap(({ info, end }) => {
        const { postId, at: publicAt } = end ?? {};
        if (postId === undefined || publicAt == null || publicAt > at || !(ids as unknown[]).includes(postId))
          return [];
        if (info.privacy_level !== 'PUBLIC_TO_EVERYONE') return [];
        const known: Record<string, unknown> = {
          id: postId,
          title: info.title,
          create_time: Math.floor(publicAt / 1_000),
          ...Object.fromEntries(counts.map((name) => [name, numbers.total(postId, name, publicAt, at)])),
        };
        return [Object.fromEntries(asked.map((name) => [name, known[name]]))];
      }),
    );
    return success(JSON.stringify({ videos }));
  }
  return [operation('video.query', 'POST', 'open.tiktokapis.com/v2/video/query/', query)];
}
