import { createHash } from 'node:crypto';
import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { operation, streamingOperation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import type { StoreVideo } from './live-videos.ts';
import { changeMetadata } from './metadata.ts';
import { requireParts } from './reads.ts';
import { videoResource, videoThumbnails } from './resources.ts';
import { manageScopes, uploadScopes } from './scopes.ts';
import type { State, User, Video } from './state.ts';

/** 50 MB since 14 September 2026 (Revision History). */
const largestBytes = 50 * 1024 * 1024;

/**
 * `thumbnails.set`: sets the image of an existing video. For a Short that is still processing, the call succeeds but
 * changes nothing: since 3 November 2026 Shorts take thumbnails "after video processing is complete".
 * https://developers.google.com/youtube/v3/revision_history
 */
export function thumbnailOperation(
  { ledger }: Workbench,
  { videos }: State,
  gate: Gate,
  storeVideo: StoreVideo,
): Operation {
  async function setThumbnail(call: Call): Promise<Answer> {
    const user = gate.checkCall(call, uploadScopes);
    gate.charge('thumbnails.set', call.at);
    const video = findVideo(call, user);
    const thumbnail = await readImage(call);
    const isProcessed = call.at >= video.processedAt && video.outcome.uploadStatus === 'processed';
    if (!video.isShort || isProcessed) {
      // The video may have changed while the image arrived.
      const latest = videos.get(video.id) ?? video;
      ledger.transaction(() => storeVideo({ ...latest, thumbnail }, call.at));
    }
    return json({
      kind: 'youtube#thumbnailSetResponse',
      etag: Buffer.from(`thumbnail.${video.id}`).toString('base64url'),
      items: [videoThumbnails(video.id)],
    });
  }

  function findVideo({ query }: Call, user: User): Video {
    if (query.get('uploadType') !== 'media') {
      throw refusal('badRequest', 'Only uploadType=media is served here.');
    }
    const videoId = query.get('videoId');
    if (videoId === null) throw refusal('missingRequiredParameter', 'Missing parameter: videoId');
    const video = videos.get(videoId);
    if (video === undefined) throw refusal('videoNotFound');
    if (video.channelId !== user.channelId) throw refusal('forbidden');
    if (!user.isVerified) {
      throw refusal(
        'forbidden',
        "The authenticated user doesn't have permissions to upload and set custom video thumbnails.",
      );
    }
    return video;
  }

  return streamingOperation(
    'thumbnails.set',
    'POST',
    'www.googleapis.com/upload/youtube/v3/thumbnails/set',
    setThumbnail,
  );
}

/** Reads the whole image. Keeps only its first bytes and its digest. */
async function readImage({ body, headers }: Call): Promise<LiveMedia> {
  const contentType = headers['content-type'] ?? '';
  if (!/^(image\/jpeg|image\/png|application\/octet-stream)$/i.test(contentType)) throw refusal('badContent');
  const hash = createHash('sha256');
  let start = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > largestBytes) throw refusal('uploadTooLarge');
    if (start.length < 8) start = Buffer.concat([start, chunk]).subarray(0, 8);
    hash.update(chunk);
  }
  if (bytes === 0) throw refusal('mediaBodyRequired');
  const type = imageType(start);
  if (type === undefined) throw refusal('invalidImage');
  return { type, bytes, sha256: hash.digest('hex') };
}

function imageType(start: Buffer): string | undefined {
  const hex = start.toString('hex');
  if (hex.startsWith('ffd8ff')) return 'image/jpeg';
  return hex === '89504e470d0a1a0a' ? 'image/png' : undefined;
}

/**
 * `videos.update`: replaces whole parts of one of the caller's videos. "This method will override the existing values for all of
 * the mutable properties that are contained in any parts that the parameter value specifies": a property that the body lacks
 * gets its default. https://developers.google.com/youtube/v3/docs/videos/update
 */
export function updateOperation(
  { ledger, setting }: Workbench,
  { videos }: State,
  gate: Gate,
  storeVideo: StoreVideo,
): Operation {
  function update(call: Call): Answer {
    const { channelId } = gate.checkCall(call, manageScopes);
    gate.charge('videos.update', call.at);
    const parts = requireParts(call);
    const { id } = call.fields;
    if (typeof id !== 'string' || id === '') throw refusal('missingRequiredParameter', 'Missing field: id');
    const video = videos.get(id);
    if (video === undefined) throw refusal('videoToChangeNotFound');
    if (video.channelId !== channelId) throw refusal('forbidden');
    const verdict = changeMetadata(video.metadata, call.fields, parts);
    if ('reason' in verdict) throw refusal(verdict.reason);
    // Our assumption: what makes every upload private also keeps it so. No reference says what the call answers then.
    const isLocked = setting('forcesPrivate') === true;
    const { privacyStatus } = verdict.metadata;
    const metadata = { ...verdict.metadata, privacyStatus: isLocked ? 'private' : privacyStatus } as const;
    ledger.transaction(() => storeVideo({ ...video, metadata }, call.at));
    return json(videoResource(videos.get(id) ?? video, parts, call.at));
  }
  return operation('videos.update', 'PUT', 'www.googleapis.com/youtube/v3/videos', update);
}

/** `videos.delete`: deletes one of the caller's videos. https://developers.google.com/youtube/v3/docs/videos/delete */
export function deletionOperation({ ledger }: Workbench, { videos }: State, gate: Gate): Operation {
  function remove(call: Call): Answer {
    const { channelId } = gate.checkCall(call, manageScopes);
    gate.charge('videos.delete', call.at);
    const id = call.query.get('id');
    if (id === null) throw refusal('missingRequiredParameter', 'Missing parameter: id');
    const video = videos.get(id);
    if (video === undefined) throw refusal('videoToChangeNotFound');
    if (video.channelId !== channelId) throw refusal('forbidden');
    ledger.transaction(() => {
      videos.delete(id);
      ledger.posts.delete(id);
    });
    return { status: 204 };
  }
  return operation('videos.delete', 'DELETE', 'www.googleapis.com/youtube/v3/videos', remove);
}
