import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse, success } from './errors.ts';
import type { Fetching } from './fetching.ts';
import type { Caller, Gate } from './gate.ts';
import { readPhotoRequest, readVideoRequest } from './publish-request.ts';
import type { Standing } from './standing.ts';
import { type PostInfo, type Publish, privacyOptions, type State } from './state.ts';

const uploadLifeMs = 3_600_000;

/** Starts a post. An uploaded video is posted with its last chunk; files that TikTok fetches are posted from here. */
export function initOperations(
  { random, setting }: Workbench,
  { publishes }: State,
  gate: Gate,
  standing: Standing,
  fetching: Fetching,
): Operation[] {
  function videoInit(call: Call): Answer {
    const caller = gate.checkCall(call, 'video.publish', 'init');
    const { post_info, source_info } = readVideoRequest(call.fields);
    checkPost(caller, post_info, call.at);
    if (source_info.source === 'PULL_FROM_URL') {
      return pull(caller, 'video', post_info, [source_info.video_url], call.at);
    }
    const secret = random.secret();
    const publish: Publish = {
      ...begun('v_pub_file', caller, 'video', post_info, call.at),
      urls: [],
      upload: {
        secret,
        expiresAt: call.at + uploadLifeMs,
        videoBytes: source_info.video_size,
        chunkBytes: source_info.chunk_size,
        storedBytes: 0,
      },
    };
    publishes.put(publish.id, publish);
    const query = new URLSearchParams({ upload_id: publish.id, upload_token: secret });
    const uploadUrl = `https://open-upload.tiktokapis.com/video/?${query}`;
    return success(JSON.stringify({ publish_id: publish.id, upload_url: uploadUrl }));
  }

  function contentInit(call: Call): Answer {
    const caller = gate.checkCall(call, 'video.publish', 'init');
    const { post_info, source_info } = readPhotoRequest(call.fields);
    checkPost(caller, post_info, call.at);
    const { photo_images, photo_cover_index } = source_info;
    return pull(caller, 'photos', post_info, photo_images, call.at, photo_cover_index);
  }

  function pull(
    caller: Caller,
    kind: Publish['kind'],
    info: PostInfo,
    urls: readonly string[],
    at: number,
    photoCoverIndex?: number,
  ): Answer {
    for (const url of urls) requireOwnership(url);
    const publish: Publish = {
      ...begun(kind === 'video' ? 'v_pub_url' : 'p_pub_url', caller, kind, info, at),
      urls,
      ...(photoCoverIndex !== undefined && { photoCoverIndex }),
    };
    publishes.put(publish.id, publish);
    fetching.begin(publish.id);
    return success(JSON.stringify({ publish_id: publish.id }));
  }

  function begun(
    prefix: string,
    { user, token }: Caller,
    kind: Publish['kind'],
    info: PostInfo,
    beganAt: number,
  ) {
    const id = `${prefix}~v2-1.${random.secret()}`;
    return { id, kind, username: user.username, token: token.value, info, beganAt };
  }

  /** The checks for every direct post. */
  function checkPost({ user }: Caller, info: PostInfo, at: number): void {
    const obstacle = standing.obstacle(user, at);
    if (obstacle !== undefined) refuse(obstacle);
    const isUnaudited = setting('unaudited') === true;
    if (isUnaudited && (!user.isPrivate || info.privacy_level !== 'SELF_ONLY')) {
      refuse('unaudited_client_can_only_post_to_private_accounts');
    }
    if (!privacyOptions(user).includes(info.privacy_level)) refuse('privacy_level_option_mismatch');
    if (info['brand_content_toggle'] === true && info.privacy_level === 'SELF_ONLY') {
      refuse('invalid_param', 'Branded content cannot be private');
    }
  }

  /** A verified domain includes its subdomains. Loopback hosts count as verified. */
  function requireOwnership(address: string): void {
    const domains = ['127.0.0.1', 'localhost', '[::1]', ...verifiedDomains(setting('verifiedDomains'))];
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    const isOurs = domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
    if (!isOurs) refuse('url_ownership_unverified');
  }

  const root = 'open.tiktokapis.com/v2/post/publish';
  return [
    operation('video.init', 'POST', `${root}/video/init/`, videoInit),
    operation('content.init', 'POST', `${root}/content/init/`, contentInit),
  ];
}

function verifiedDomains(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((domain) => typeof domain === 'string') : [];
}
