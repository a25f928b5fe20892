import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse, success } from './errors.ts';
import type { Gate } from './gate.ts';
import type { Standing } from './standing.ts';
import { type Publish, permalinkOf, privacyOptions, type State } from './state.ts';

const profileFields = ['username', 'bio_description', 'profile_deep_link', 'is_verified'];
const statsFields = ['follower_count', 'following_count', 'likes_count', 'video_count'];
const basicFields = ['open_id', 'union_id', 'avatar_url', 'display_name'];
const videoFields = ['id', 'title', 'video_description', 'create_time', 'share_url', 'duration'];

/** Reads the connected user, what they may post, and their public posts. */
export function readingOperations(
  { numbers, reads, setting }: Workbench,
  { publishes }: State,
  gate: Gate,
  standing: Standing,
): Operation[] {
  function userInfo(call: Call): Answer {
    const { user, token } = gate.checkCall(call, ['user.info.basic'], 'userInfo');
    const fields = requestedFields(call, [...basicFields, ...profileFields, ...statsFields]);
    const wantsProfile = fields.some((field) => profileFields.includes(field));
    if (wantsProfile && !token.scopes.includes('user.info.profile')) {
      refuse('scope_not_authorized', 'The scope user.info.profile is missing.');
    }
    const wantsStats = fields.some((field) => statsFields.includes(field));
    if (wantsStats && !token.scopes.includes('user.info.stats')) {
      refuse('scope_not_authorized', 'The scope user.info.stats is missing.');
    }
    const known: Record<string, unknown> = {
      follower_count: numbers.followers(user.openId, 'follower_count', call.at),
      following_count: 0,
      likes_count: 0,
      video_count: 0,
      open_id: user.openId,
      union_id: `union${user.openId}`,
      avatar_url: `https://p16-sign-sg.tiktokcdn.com/${user.openId}.jpeg`,
      display_name: user.displayName,
      username: user.username,
      bio_description: '',
      profile_deep_link: `https://vm.tiktok.com/${user.username}/`,
      is_verified: false,
    };
    const chosen = Object.fromEntries(fields.map((field) => [field, known[field]]));
    return success(JSON.stringify({ user: chosen }));
  }

  function creatorInfo(call: Call): Answer {
    const { user } = gate.checkCall(call, ['video.publish'], 'creatorInfo');
    const obstacle = standing.obstacle(user, call.at);
    // This endpoint refuses with HTTP 200.
    if (obstacle !== undefined) refuse(obstacle, undefined, 200);
    return success(
      JSON.stringify({
        creator_avatar_url: `https://p16-sign-sg.tiktokcdn.com/${user.openId}.webp`,
        creator_username: user.username,
        creator_nickname: user.displayName,
        privacy_level_options: privacyOptions(user),
        comment_disabled: user.commentDisabled,
        duet_disabled: user.duetDisabled,
        stitch_disabled: user.stitchDisabled,
        max_video_post_duration_sec: user.maxVideoSeconds,
      }),
    );
  }

  /** Lists public posts, newest first. Here the id is a string; in `status/fetch` it is a number. */
  function videoList(call: Call): Answer {
    const { user } = gate.checkCall(call, ['video.list'], 'videoList');
    const fields = requestedFields(call, videoFields);
    const { max_count: count = 10 } = call.fields;
    if (typeof count !== 'number' || count < 1 || count > 20)
      refuse('invalid_params', 'max_count is 1 to 20');
    // TikTok's cursor is a time in milliseconds. Clients pass it back as it is, so a position serves as well.
    const start = call.fields['cursor'] ?? 0;
    if (typeof start !== 'number') refuse('invalid_params', 'cursor is a number');
    const listed = reads.ofList(call, ({ at }) => [
      ...othersOf(user.username),
      ...listedVideos(user.username, at),
    ]);
    const end = start + count;
    const videos = listed
      .slice(start, end)
      .map((video) => Object.fromEntries(fields.map((field) => [field, video[field]])));
    return success(JSON.stringify({ videos, cursor: end, has_more: end < listed.length }));
  }

  function listedVideos(username: string, at: number): ListedVideo[] {
    return publishes.list({ owner: username, newestFirst: true }).flatMap((publish) => {
      const { info, end, kind } = publish;
      const isListed =
        end?.postId !== undefined &&
        end.at !== null &&
        end.at <= at &&
        info.privacy_level === 'PUBLIC_TO_EVERYONE' &&
        (kind === 'video' || setting('photosAreListed') === true);
      if (!isListed || end.postId === undefined || end.at === null) return [];
      return {
        id: end.postId,
        title: reads.text(info.title),
        video_description: reads.text(info.description ?? info.title),
        create_time: Math.floor(end.at / 1000),
        share_url: `${permalinkOf(publish, end.postId)}?utm_campaign=client_share&utm_source=open_api`,
        duration: 6,
      };
    });
  }

  const othersOf = (username: string): ListedVideo[] =>
    reads.others((number, atMs) => ({
      id: String(7_930_000_000_000_000_001n + 4n * BigInt(number)),
      title: `Other video ${number}`,
      video_description: `Other video ${number}`,
      create_time: Math.floor(atMs / 1000),
      share_url: `https://www.tiktok.com/@${username}/video/other${number}`,
      duration: 6,
    }));

  const root = 'open.tiktokapis.com/v2';
  return [
    operation('user.info', 'GET', `${root}/user/info/`, userInfo),
    operation('creator_info.query', 'POST', `${root}/post/publish/creator_info/query/`, creatorInfo),
    operation('video.list', 'POST', `${root}/video/list/`, videoList),
  ];
}

type ListedVideo = Readonly<Record<string, unknown>>;

function requestedFields({ query }: Call, known: readonly string[]): readonly string[] {
  const fields = (query.get('fields') ?? '').split(',').filter((field) => field !== '');
  const foreign = fields.find((field) => !known.includes(field));
  if (fields.length === 0 || foreign !== undefined) {
    refuse('invalid_params', `fields: ${foreign ?? 'none given'}`);
  }
  return fields;
}

/** Returns the operations for the status of a post (guide "Get Post Status"). */
export function statusOperations(
  { reads, setting }: Workbench,
  { publishes }: State,
  gate: Gate,
): Operation[] {
  function fetchStatus(call: Call): Answer {
    const { user } = gate.checkCall(call, ['video.publish', 'video.upload'], 'status');
    const { publish_id: id } = call.fields;
    return reads.ofState(call, ({ at }) => {
      const publish = typeof id === 'string' ? publishes.get(id) : undefined;
      if (publish === undefined) refuse('invalid_publish_id');
      if (publish.username !== user.username) refuse('token_not_authorized_for_specified_publish_id');
      return success(describe(publish, at));
    });
  }

  function describe({ end, upload, info, isDraft }: Publish, at: number): string {
    if (end === undefined || end.at === null || at < end.at) {
      return upload === undefined
        ? JSON.stringify({ status: 'PROCESSING_DOWNLOAD', downloaded_bytes: 0 })
        : JSON.stringify({ status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.storedBytes });
    }
    if (end.failReason !== undefined) {
      return JSON.stringify({ status: 'FAILED', fail_reason: end.failReason });
    }
    if (isDraft && end.postId === undefined) return JSON.stringify({ status: 'SEND_TO_USER_INBOX' });
    // Only public posts get an id, after moderation. It is a JSON number although it exceeds the safe integers.
    const delayMs = Number(setting('postIdDelaySeconds')) * 1000;
    const isPublic = info.privacy_level === 'PUBLIC_TO_EVERYONE' && at >= end.at + delayMs;
    return `{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${isPublic ? end.postId : ''}]}`;
  }

  return [
    operation('status.fetch', 'POST', 'open.tiktokapis.com/v2/post/publish/status/fetch/', fetchStatus),
  ];
}
