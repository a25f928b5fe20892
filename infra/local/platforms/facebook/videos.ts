import { json } from '../kit/answers.ts';
import { readFields } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { isMultipart, readMultipart } from '../kit/media/multipart.ts';
import { streamingOperation } from '../kit/router.ts';
import type { Answer, NameByPath, Operation, Workbench } from '../kit/types.ts';
import { refuseParameter, unknownPath } from '../meta/graph-errors.ts';
import { page as onePage } from '../meta/paging.ts';
import { graphTime, integerField, selectFields, textField } from '../meta/parameters.ts';
import { readIsDraft } from './drafts.ts';
import { refuse } from './errors.ts';
import { apiVersions, type Graph } from './graph.ts';
import type { Publishing } from './publishing.ts';
import type { PageSession } from './sessions.ts';
import { nextId, type State, type Video, type VideoKind } from './state.ts';
import { readTargeting, type Targeting } from './targeting.ts';
import type { VideoFiles } from './video-files.ts';

const dayMilliseconds = 86_400_000;
const largestVideoBytes = 10 * 1024 ** 3;
const invitationsPerDay = 10;

/** A step that is not a request. A planned fault `error:<code>` fails it; `timeout` makes it never end. */
export const processingStep = 'video_processing';

/** Returns the operations for the chunked upload of videos, the start and finish of reels and video stories, and thumbnails. */
export function videoOperations(
  graph: Graph,
  workbench: Workbench,
  state: State,
  publishing: Publishing,
  files: VideoFiles,
): Operation[] {
  const { ledger } = workbench;
  const chunkBytes = () => Number(workbench.setting('chunkBytes'));

  function create(call: Call, pageId: string, kind: VideoKind, more: Partial<Video> = {}): Video {
    const id = nextId(ledger, 'video');
    const video = { id, pageId, kind, createdAt: call.at, storedBytes: 0, ...more };
    state.videos.put(id, video);
    return video;
  }

  async function chunked(call: Call, session: PageSession): Promise<Answer> {
    switch (textField(call.fields, 'upload_phase')) {
      case 'start':
        return startSession(call, session);
      case 'finish':
        return finish(call, ownSession(call, session), 'description', {
          ...(readIsDraft(call.fields) && { isDraft: true }),
          ...withTargeting(call),
        });
      default:
        return refuseParameter('Param upload_phase must be one of {start, transfer, finish}');
    }
  }

  function startSession(call: Call, { page }: PageSession): Answer {
    const fileBytes = integerField(call.fields, 'file_size', 1);
    if (fileBytes === undefined) refuseParameter('The parameter file_size is required.');
    if (fileBytes > largestVideoBytes) refuseParameter('Param file_size is too large.');
    const sessionId = String(3_000_000_000_000_001 + 4 * ledger.nextNumber('upload-session'));
    const video = create(call, page.id, 'video', { sessionId, fileBytes });
    return json({ video_id: video.id, upload_session_id: sessionId, ...offsets(video) });
  }

  function offsets({ storedBytes, fileBytes = 0 }: Video): Record<string, string> {
    return {
      start_offset: String(storedBytes),
      end_offset: String(Math.min(fileBytes, storedBytes + chunkBytes())),
    };
  }

  async function transfer(call: Call, session: PageSession): Promise<Answer> {
    const body = await readMultipart(call, chunkBytes() + 64 * 1024);
    const fields = { ...call.fields, ...body?.fields };
    const video = ownSession({ ...call, fields }, session);
    const chunk = body?.files['video_file_chunk']?.bytes;
    if (textField(fields, 'upload_phase') !== 'transfer' || chunk === undefined) {
      refuseParameter('The parameter video_file_chunk is required.');
    }
    const expected = offsets(video);
    const wanted = Number(expected['end_offset']) - video.storedBytes;
    const isNext = String(fields['start_offset']) === expected['start_offset'];
    if (!isNext || chunk.length !== wanted) refuse('6000/1363037', undefined, expected);
    return json(offsets(await files.append(video, chunk)));
  }

  function ownSession({ fields }: Call, { page }: PageSession): Video {
    const sessionId = textField(fields, 'upload_session_id');
    const video = state.videos.list({ owner: page.id }).find((known) => known.sessionId === sessionId);
    if (sessionId === undefined || video === undefined) return refuse('100/33');
    return video;
  }

  function withTargeting({ fields }: Call): { readonly targeting?: Targeting } {
    const targeting = readTargeting(fields);
    return targeting ? { targeting } : {};
  }

  /** Accepts a video whose file has arrived. Its status shows later whether it went live. */
  function finish(
    call: Call,
    video: Video,
    textName: string,
    more: { storyPostId?: string; isDraft?: boolean; targeting?: Targeting } = {},
  ): Answer {
    if (video.finish !== undefined) refuseParameter('The upload is finished already.');
    const isWhole = video.media !== undefined && video.storedBytes === (video.fileBytes ?? video.storedBytes);
    if (!isWhole) refuse('6000/1363019', 'The video has not been uploaded yet.');
    const planned = workbench.faults.take(processingStep);
    const seconds = Number(workbench.setting('videoProcessingSeconds'));
    const readyAt = planned?.fault === 'timeout' ? null : call.at + seconds * 1000;
    const title = textField(call.fields, 'title');
    const text = textField(call.fields, textName) ?? '';
    const finished = {
      ...video,
      finish: { at: call.at, readyAt, text, ...(title !== undefined && { title }), ...more },
      ...(planned?.code !== undefined && { failure: planned.code }),
    };
    state.videos.put(video.id, finished);
    publishing.settleLater(finished);
    return json({ success: true, ...(more.storyPostId && { post_id: more.storyPostId }) });
  }

  /** Handles `video_reels` and `video_stories`, which start in the same way. */
  function hosted(kind: 'reel' | 'story') {
    return (call: Call, session: PageSession): Answer => {
      const { page } = session;
      switch (textField(call.fields, 'upload_phase')) {
        case 'start': {
          const { id } = create(call, page.id, kind);
          const upload_url = `https://rupload.facebook.com/video-upload/${call.params['version']}/${id}`;
          return json({ video_id: id, upload_url });
        }
        case 'finish':
          return finishHosted(call, session, kind);
        default:
          return refuseParameter('Param upload_phase must be one of {start, finish}');
      }
    };
  }

  function finishHosted(call: Call, { page }: PageSession, kind: 'reel' | 'story'): Answer {
    const video = state.videos.get(textField(call.fields, 'video_id') ?? '');
    if (video === undefined || video.pageId !== page.id || video.kind !== kind) return refuse('100/33');
    if (kind === 'story') return finish(call, video, '', { storyPostId: nextId(ledger, 'post') });
    // "Reels Publishing API", step 3. The service does not let Facebook schedule.
    const videoState = textField(call.fields, 'video_state') ?? '';
    if (!['PUBLISHED', 'DRAFT'].includes(videoState)) refuseParameter('Param video_state is invalid.');
    if (call.fields['targeting'] !== undefined) refuseParameter('Param targeting is not of reels.');
    const lastDay = state.videos
      .list({ owner: page.id })
      .filter((known) => known.kind === 'reel' && (known.finish?.at ?? 0) > call.at - dayMilliseconds);
    // "30 API-published posts within a 24-hour moving period … enforced on the POST /{page_id}/video_reels endpoint". The code is not
    // documented; this is the one of posts that come too fast.
    if (lastDay.length >= workbench.limit('reels')) refuse('100/1390008');
    return finish(call, video, 'description', { ...(videoState === 'DRAFT' && { isDraft: true }) });
  }

  /** Lists the Page's published reels, newest first ("Reels Publishing API", "Get a list of reels"). */
  function listReels(call: Call, { page }: PageSession): Answer {
    const since = (integerField(call.fields, 'since', 0) ?? 0) * 1000;
    const reels = state.videos
      .list({ owner: page.id, newestFirst: true })
      .filter(({ kind, finish }) => kind === 'reel' && finish !== undefined && !finish.isDraft)
      .filter(({ finish }) => (finish?.at ?? 0) >= since);
    const fieldsOf = ({ id, createdAt, finish }: Video) => {
      const times = { created_time: graphTime(createdAt), updated_time: graphTime(finish?.at ?? createdAt) };
      return selectFields(call.fields, { id, description: finish?.text, ...times }, 'Video');
    };
    return json(onePage(call, reels, fieldsOf));
  }

  /** "Reels Publishing API", "Invite a collaborator". The answer to an eleventh invitation is not documented. */
  function invite(call: Call, { page }: PageSession): Answer {
    const video = state.videos.get(call.params['videoId'] ?? '');
    if (video === undefined || video.pageId !== page.id || video.kind !== 'reel') return refuse('100/33');
    const invitee = textField(call.fields, 'target_id') ?? '';
    if (!/^\d+$/.test(invitee)) refuseParameter('Param target_id must be the ID of a Page.');
    const lastDay = state.videos
      .list({ owner: page.id })
      .flatMap(({ invited = {} }) => Object.values(invited))
      .filter((at) => at > call.at - dayMilliseconds);
    if (lastDay.length >= invitationsPerDay) refuse('368');
    const invited = { ...video.invited, [invitee]: call.at };
    state.videos.put(video.id, { ...video, invited });
    const live = ledger.posts.get(video.id);
    if (live)
      ledger.posts.put(video.id, {
        ...live,
        details: { ...live.details, collaborators: Object.keys(invited) },
      });
    return json({
      success: true,
      collaborator_id: invitee,
      invitation_link: `https://www.facebook.com/reel/${video.id}/collaborate/${invitee}`,
    });
  }

  async function thumbnail(call: Call, { page }: PageSession): Promise<Answer> {
    const video = state.videos.get(call.params['videoId'] ?? '');
    if (video === undefined || video.pageId !== page.id) return refuse('100/33');
    const source = (await readMultipart(call, 11 * 1024 * 1024))?.files['source'];
    if (source === undefined) return refuse('324');
    await files.setCover(video, source);
    return json({ success: true });
  }

  /** Defines an operation that accepts a form or a multipart body. All checks run before the body is read. */
  function posted(
    name: string | NameByPath,
    pattern: string,
    handleForm: (call: Call, session: PageSession) => Answer | Promise<Answer>,
    handleMultipart: (call: Call, session: PageSession) => Promise<Answer>,
  ): Operation {
    return streamingOperation(name, 'POST', pattern, async (call) => {
      if (!graph.serves(call)) return unknownPath(call);
      if (isMultipart(call)) {
        const session = graph.checkPageCall(call, 'pages_manage_posts');
        return handleMultipart(call, session);
      }
      const whole = { ...call, fields: { ...call.fields, ...(await readFields(call)) } };
      return handleForm(whole, graph.checkPageCall(whole, 'pages_manage_posts'));
    });
  }

  const byPhase = (edge: string, ...phases: string[]): NameByPath => ({
    names: [...phases.map((phase) => `${edge}.${phase}`), edge],
    of: (_params, _headers, query) => {
      const phase = query.get('upload_phase') ?? '';
      return phases.includes(phase) ? `${edge}.${phase}` : edge;
    },
  });
  const scope = 'pages_manage_posts';
  return [
    posted(
      byPhase('videos', 'start', 'transfer', 'finish'),
      'graph-video.facebook.com/:version/:pageId/videos',
      chunked,
      transfer,
    ),
    graph.page(
      byPhase('video_reels', 'start', 'finish'),
      'POST',
      ':pageId/video_reels',
      scope,
      hosted('reel'),
    ),
    graph.page('video_reels_list', 'GET', ':pageId/video_reels', 'pages_read_engagement', (call, session) =>
      workbench.reads.ofList(call, (seen) => listReels(seen, session)),
    ),
    graph.page(
      byPhase('video_stories', 'start', 'finish'),
      'POST',
      ':pageId/video_stories',
      scope,
      hosted('story'),
    ),
    graph.page('collaborators', 'POST', ':videoId/collaborators', scope, invite),
    posted('thumbnails', 'graph.facebook.com/:version/:videoId/thumbnails', () => refuse('324'), thumbnail),
  ];
}

/**
 * Returns the operations of the upload host of reels and video stories. Only hosted files are supported: their address is in the
 * header `file_url`, and the token in `Authorization: OAuth`.
 */
export function uploadOperations(graph: Graph, state: State, files: VideoFiles): Operation[] {
  function upload(call: Call): Answer {
    call.body.resume();
    if (!apiVersions.includes(call.params['version'] ?? '')) return unknownPath(call);
    if (!/^OAuth /.test(call.headers.authorization ?? '')) refuse('190');
    const { page } = graph.checkPageCall(call, 'pages_manage_posts');
    const video = state.videos.get(call.params['videoId'] ?? '');
    if (video === undefined || video.pageId !== page.id || video.kind === 'video') return refuse('100/33');
    const fileUrl = call.headers['file_url'];
    if (typeof fileUrl !== 'string')
      return failed('PartialRequestError', 'Neither file_url nor bytes were sent');
    if (/(^|\.)fbcdn\.net$/.test(URL.parse(fileUrl)?.hostname ?? '')) {
      return failed('ProcessingFailedError', 'Files of fbcdn cannot be fetched');
    }
    if (video.fileUrl === undefined) {
      state.videos.put(video.id, { ...video, fileUrl });
      files.fetch(video.id, fileUrl);
    }
    return json({ success: true, message: 'Upload started' });
  }

  return [
    streamingOperation('rupload', 'POST', 'rupload.facebook.com/video-upload/:version/:videoId', upload),
  ];
}

/** Returns an error in the upload host's own format. */
function failed(type: string, message: string): Answer {
  return json({ debug_info: { retriable: false, type, message } }, 400);
}
