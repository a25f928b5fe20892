import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse, success } from './errors.ts';
import type { Fetching } from './fetching.ts';
import type { Caller, Gate } from './gate.ts';
import { type FileSource, readDraftRequest, readPhotoRequest, readVideoRequest } from './publish-request.ts';
import type { Standing } from './standing.ts';
import { type PostInfo, type PrivacyLevel, type Publish, privacyOptions, type State } from './state.ts';

const uploadLifeMs = 3_600_000;
const dayMs = 86_400_000;

/** The common part of every init. */
interface Begins extends Pick<Publish, 'kind' | 'info' | 'isDraft'> {
  readonly caller: Caller;
  readonly at: number;
}

type Pulled = Pick<Publish, 'urls' | 'photoCoverIndex'>;

/** Starts a post or a draft. An uploaded video is posted with its last chunk; files that TikTok fetches are posted from here. */
export function initOperations(
  { limit, random, setting }: Workbench,
  { publishes }: State,
  gate: Gate,
  standing: Standing,
  fetching: Fetching,
): Operation[] {
  function videoInit(call: Call): Answer {
    const caller = gate.checkCall(call, ['video.publish'], 'init');
    const { post_info, source_info } = readVideoRequest(call.fields);
    checkPost(caller, post_info, call.at);
    if (source_info.source === 'PULL_FROM_URL') {
      return pull({ caller, kind: 'video', info: post_info, urls: [source_info.video_url], at: call.at });
    }
    return upload({ caller, kind: 'video', info: post_info, at: call.at }, source_info);
  }

  /** Starts a draft of a video. Its text and settings are chosen in the TikTok app. */
  function inboxVideoInit(call: Call): Answer {
    const caller = gate.checkCall(call, ['video.upload'], 'init');
    const { source_info } = readDraftRequest(call.fields);
    checkDraft(caller, call.at);
    const draft = { caller, kind: 'video', info: { title: '' }, isDraft: true, at: call.at } as const;
    if (source_info.source === 'PULL_FROM_URL') return pull({ ...draft, urls: [source_info.video_url] });
    return upload(draft, source_info);
  }

  function upload(begins: Begins, source_info: FileSource): Answer {
    const { at } = begins;
    const secret = random.secret();
    const publish: Publish = {
      ...begun(begins.isDraft ? 'v_inbox_file' : 'v_pub_file', begins),
      urls: [],
      upload: {
        secret,
        expiresAt: at + uploadLifeMs,
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
    const isDraft = call.fields['post_mode'] === 'MEDIA_UPLOAD';
    const caller = gate.checkCall(call, [isDraft ? 'video.upload' : 'video.publish'], 'init');
    const { post_mode, post_info, source_info } = readPhotoRequest(call.fields);
    if (post_mode === 'DIRECT_POST') checkPost(caller, post_info, call.at);
    else checkDraft(caller, call.at);
    const { photo_images: urls, photo_cover_index: photoCoverIndex } = source_info;
    const begins = { caller, kind: 'photos', info: post_info, at: call.at } as const;
    return pull({ ...begins, urls, photoCoverIndex, ...(isDraft && { isDraft }) });
  }

  function pull({ urls, photoCoverIndex, ...begins }: Begins & Pulled): Answer {
    for (const url of urls) requireOwnership(url);
    const prefix = `${begins.kind === 'video' ? 'v' : 'p'}_${begins.isDraft ? 'inbox' : 'pub'}_url`;
    const publish: Publish = {
      ...begun(prefix, begins),
      urls,
      ...(photoCoverIndex !== undefined && { photoCoverIndex }),
    };
    publishes.put(publish.id, publish);
    fetching.begin(publish.id);
    return success(JSON.stringify({ publish_id: publish.id }));
  }

  function begun(prefix: string, { caller: { user, token }, at, ...begins }: Begins) {
    const id = `${prefix}~v2-1.${random.secret()}`;
    return { ...begins, id, username: user.username, token: token.value, beganAt: at };
  }

  /**
   * Checks the number of pending drafts: "There may be at most 5 pending shares within any 24-hour period." An app without an
   * audit may send drafts.
   */
  function checkDraft({ user }: Caller, at: number): void {
    if (user.isBanned) refuse('spam_risk_user_banned_from_posting');
    const pending = publishes
      .list({ owner: user.username, since: at - dayMs + 1 })
      .filter(({ isDraft, end }) => isDraft && end?.postId === undefined && end?.failReason === undefined);
    if (pending.length >= limit('pendingSharesPerDay')) refuse('spam_risk_too_many_pending_share');
  }

  /** Runs the checks for every direct post. */
  function checkPost({ user }: Caller, info: PostInfo & { privacy_level: PrivacyLevel }, at: number): void {
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

  /** Requires an address of a verified domain, which includes its subdomains. Loopback hosts count as verified. */
  function requireOwnership(address: string): void {
    const domains = ['127.0.0.1', 'localhost', '[::1]', ...verifiedDomains(setting('verifiedDomains'))];
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    const isOurs = domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
    if (!isOurs) refuse('url_ownership_unverified');
  }

  const root = 'open.tiktokapis.com/v2/post/publish';
  return [
    operation('video.init', 'POST', `${root}/video/init/`, videoInit),
    operation('inbox.video.init', 'POST', `${root}/inbox/video/init/`, inboxVideoInit),
    operation('content.init', 'POST', `${root}/content/init/`, contentInit),
  ];
}

function verifiedDomains(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((domain) => typeof domain === 'string') : [];
}
