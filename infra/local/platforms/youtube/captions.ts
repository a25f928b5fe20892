import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation, streamingOperation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import type { StoreVideo } from './live-videos.ts';
import { isRecord } from './playlists.ts';
import { requireParts } from './reads.ts';
import { captionResource } from './resources.ts';
import { commentScopes as captionScopes } from './scopes.ts';
import type { CaptionTrack, State, User, Video } from './state.ts';

/** https://developers.google.com/youtube/v3/docs/captions#snippet.name */
const longestName = 150;
/** The `maxSize` of the method in the discovery document of 2026-09-24. */
const largestBytes = 104_857_600;
/** `part` of captions. Discovery document of 2026-09-24. */
const captionParts = new Set(['id', 'snippet']);

/**
 * `captions.insert`, `captions.list` and `captions.delete`. "The specified video already has a caption track with the given
 * snippet.language and snippet.name" is `captionExists`. https://developers.google.com/youtube/v3/docs/captions/insert#errors
 */
export function captionOperations(
  { ledger, random }: Workbench,
  { videos }: State,
  gate: Gate,
  storeVideo: StoreVideo,
): readonly Operation[] {
  async function insert(call: Call): Promise<Answer> {
    const user = gate.checkCall(call, captionScopes);
    gate.charge('captions.insert', call.at);
    requireParts(call, captionParts);
    if (call.query.get('uploadType') !== 'multipart')
      throw refusal('badRequest', 'Only uploadType=multipart is served here.');
    const { snippet, text } = await readRelated(call);
    const { videoId, language, name } = snippet;
    if (typeof videoId !== 'string') throw refusal('missingRequiredParameter', 'Missing field: videoId');
    if (typeof language !== 'string' || !/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language))
      throw refusal('invalidCaptionMetadata');
    if (typeof name !== 'string') throw refusal('invalidCaptionMetadata');
    if (name.length > longestName) throw refusal('nameTooLong');
    if (text.trim() === '') throw refusal('contentRequired');
    const video = ownVideo(videoId, user);
    const { captions = [] } = video;
    if (captions.some((track) => track.language === language && track.name === name))
      throw refusal('captionExists');
    const track: CaptionTrack = { id: random.secret('AUieDa'), language, name, text, at: call.at };
    ledger.transaction(() => storeVideo({ ...video, captions: [...captions, track] }, call.at));
    return json(captionResource(track, videoId, ['snippet']));
  }

  function list(call: Call): Answer {
    const user = gate.checkCall(call, captionScopes);
    gate.charge('captions.list', call.at);
    const parts = requireParts(call, captionParts);
    const { id, captions = [] } = ownVideo(call.query.get('videoId') ?? '', user);
    const items = captions.map((track) => captionResource(track, id, parts));
    return json({ kind: 'youtube#captionListResponse', etag: id, items });
  }

  function remove(call: Call): Answer {
    const user = gate.checkCall(call, captionScopes);
    gate.charge('captions.delete', call.at);
    const trackId = call.query.get('id');
    if (trackId === null) throw refusal('missingRequiredParameter', 'Missing parameter: id');
    const video = videos.list().find(({ captions = [] }) => captions.some(({ id }) => id === trackId));
    if (video === undefined) throw refusal('captionNotFound');
    if (video.channelId !== user.channelId) throw refusal('forbidden');
    const captions = (video.captions ?? []).filter(({ id }) => id !== trackId);
    ledger.transaction(() => storeVideo({ ...video, captions }, call.at));
    return { status: 204 };
  }

  function ownVideo(videoId: string, { channelId }: User): Video {
    const video = videos.get(videoId);
    if (video === undefined) throw refusal('videoOfCaptionNotFound');
    if (video.channelId !== channelId) throw refusal('forbidden');
    return video;
  }

  return [
    streamingOperation('captions.insert', 'POST', 'www.googleapis.com/upload/youtube/v3/captions', insert),
    operation('captions.list', 'GET', 'www.googleapis.com/youtube/v3/captions', list),
    operation('captions.delete', 'DELETE', 'www.googleapis.com/youtube/v3/captions', remove),
  ];
}

/** Reads a `multipart/related` body: the metadata, then the file (RFC 2387). */
async function readRelated({ body, headers }: Call) {
  const boundary = /^multipart\/related;\s*boundary="?([^";]+)"?/i.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw refusal('badContent');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > largestBytes) throw refusal('uploadTooLarge');
    chunks.push(chunk);
  }
  const [, metadata = '', file = ''] = Buffer.concat(chunks).toString().split(`--${boundary}`);
  const contentOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '');
  const resource: unknown = parsed(contentOf(metadata));
  const { snippet } = isRecord(resource) ? resource : {};
  if (!isRecord(snippet)) throw refusal('parseError');
  return { snippet, text: contentOf(file) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('parseError');
  }
}
