import { createHash } from 'node:crypto';
import { json } from '../kit/answers.ts';
import { answerAfterBody } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { liveMedia, type MeasuredMedia, measureMedia } from '../kit/media/media-intake.ts';
import type { PartialFiles } from '../kit/media/partial-files.ts';
import { operation, streamingOperation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { errorAnswer, refuse } from './errors.ts';
import type { Caller, Gate } from './gate.ts';
import type { Asset, AssetKind, State } from './state.ts';

/** A step that is not a request. A planned fault `error:<reason>` fails it; `timeout` makes it never end. */
export const processingStep = 'processing';

export type AssetStatus = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED';

/** Every part except the last has exactly this many bytes ("Videos API"). */
const partBytes = 4_194_304;
const videoBytes = { min: 75 * 1024, max: 500 * 1024 * 1024 };
const uploadLifeMs: Readonly<Record<AssetKind, number>> = {
  image: 24 * 3_600_000,
  document: 24 * 3_600_000,
  video: 30 * 24 * 3_600_000,
};

/** Uploads of images, documents and videos: initialization, bytes, finalization and status. */
export function assetOperations(
  { faults, random, setting }: Workbench,
  { assets }: State,
  gate: Gate,
  files: PartialFiles,
): Operation[] {
  function initialize(kind: AssetKind, call: Call): Answer {
    const caller = gate.checkCall(call);
    const request = call.fields['initializeUploadRequest'];
    if (!isRecord(request)) refuse('MISSING_FIELD', '/initializeUploadRequest :: field is required');
    const { owner } = request;
    if (typeof owner !== 'string')
      refuse('MISSING_FIELD', '/initializeUploadRequest/owner :: field is required');
    gate.requireAuthor(caller, owner);
    const id = random.secret(kind === 'video' ? 'C5F10AQ' : 'C4E10AQ');
    const asset: Asset = {
      urn: `urn:li:${kind}:${id}`,
      kind,
      owner,
      startedAt: call.at,
      urlsExpireAt: call.at + uploadLifeMs[kind],
      ...(request['uploadThumbnail'] === true && { wantsCover: true }),
      parts: kind === 'video' ? videoParts(request) : [],
    };
    assets.put(id, asset);
    const urlOf = (part: string) =>
      `https://www.linkedin.com/dms-uploads/sp/${id}/${part}?e=${asset.urlsExpireAt}`;
    if (kind !== 'video') {
      const value = { uploadUrlExpiresAt: asset.urlsExpireAt, uploadUrl: urlOf(kind), [kind]: asset.urn };
      return json({ value });
    }
    const uploadInstructions = asset.parts.map(({ firstByte, lastByte }, index) => ({
      uploadUrl: urlOf(`video-${index}`),
      firstByte,
      lastByte,
    }));
    const { urn: video, urlsExpireAt: uploadUrlsExpireAt } = asset;
    const thumbnail = asset.wantsCover && setting('takesCovers') === true;
    return json({
      value: {
        ...{ uploadUrlsExpireAt, video, uploadInstructions, uploadToken: '' },
        ...(thumbnail && { thumbnailUploadUrl: urlOf('thumbnail') }),
      },
    });
  }

  function videoParts(request: Readonly<Record<string, unknown>>): Asset['parts'] {
    const { fileSizeBytes: size, uploadCaptions, uploadThumbnail } = request;
    if (typeof size !== 'number' || !Number.isInteger(size)) {
      refuse('MISSING_FIELD', '/initializeUploadRequest/fileSizeBytes :: field is required');
    }
    if (size < videoBytes.min || size > videoBytes.max) {
      refuse('INVALID_VALUE_FOR_FIELD', '/initializeUploadRequest/fileSizeBytes :: out of range');
    }
    if (typeof uploadCaptions !== 'boolean' || typeof uploadThumbnail !== 'boolean') {
      refuse('MISSING_FIELD', '/initializeUploadRequest :: uploadCaptions and uploadThumbnail are required');
    }
    return Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => ({
      firstByte: index * partBytes,
      lastByte: Math.min((index + 1) * partBytes, size) - 1,
    }));
  }

  /** Accepts the whole file in one request, with the member's token. */
  async function putFile(call: Call): Promise<Answer> {
    const caller = gate.authenticate(call);
    const { id, asset } = openUpload(call);
    gate.requireAuthor(caller, asset.owner);
    if (asset.kind === 'video') refuse('INVALID_VALUE_FOR_FIELD', 'A video is uploaded in parts');
    if (asset.media !== undefined) refuse('EXPIRED_UPLOAD_URL', 'The upload url was used');
    const received = await receiveMedia(call.body, asset.kind);
    assets.put(id, processing(asset, received, call.at));
    return { status: Number(setting('uploadStatus')) };
  }

  /** Accepts one part at its own address. The address authorizes the upload, so a token is not needed, and ignored. */
  async function putPart(call: Call): Promise<Answer> {
    const { id, asset } = openUpload(call);
    const index = Number(call.params['part']?.replace('video-', ''));
    const part = asset.parts[index];
    const problem =
      part === undefined || asset.media !== undefined
        ? errorAnswer('EXPIRED_UPLOAD_URL')
        : partProblem(call, part.lastByte - part.firstByte + 1);
    if (problem || part === undefined) return answerAfterBody(call, problem ?? errorAnswer('NOT_FOUND'));
    await files.replace(partName(id, index), call.body);
    const etag = `/ambry-video/signedId/${createHash('sha256').update(`${id}/${index}`).digest('base64url')}`;
    const now = assets.get(id) ?? asset;
    const parts = now.parts.map((known, place) => (place === index ? { ...known, etag } : known));
    assets.put(id, { ...now, parts });
    return { status: 200, headers: { etag } };
  }

  /** Accepts the cover of a video at its own address, which authorizes the upload. */
  async function putThumbnail(call: Call): Promise<Answer> {
    const { id, asset } = openUpload(call);
    if (asset.wantsCover !== true || asset.media !== undefined) refuse('EXPIRED_UPLOAD_URL');
    if (call.headers['content-type'] !== 'application/octet-stream')
      return answerAfterBody(call, errorAnswer('UNSUPPORTED_MEDIA_TYPE'));
    const { media, failure } = await receiveMedia(call.body, 'image');
    if (failure !== undefined) refuse('INVALID_VALUE_FOR_FIELD', failure);
    assets.put(id, { ...(assets.get(id) ?? asset), cover: liveMedia(media) });
    return { status: 201 };
  }

  async function* readParts(names: readonly string[]) {
    for (const name of names) yield* files.read(name);
  }

  function openUpload({ params, at }: Call): { id: string; asset: Asset } {
    const id = params['id'] ?? '';
    const asset = assets.get(id);
    if (asset === undefined) refuse('NOT_FOUND');
    if (asset.urlsExpireAt <= at) refuse('EXPIRED_UPLOAD_URL');
    return { id, asset };
  }

  async function finalize(call: Call): Promise<Answer> {
    const caller = gate.checkCall(call);
    const request = call.fields['finalizeUploadRequest'];
    if (!isRecord(request)) refuse('MISSING_FIELD', '/finalizeUploadRequest :: field is required');
    const { video, uploadToken, uploadedPartIds } = request;
    const { id, asset } = find(video, 'video');
    gate.requireAuthor(caller, asset.owner);
    if (uploadToken !== '')
      refuse('INVALID_VALUE_FOR_FIELD', '/finalizeUploadRequest/uploadToken :: unknown token');
    const etags = asset.parts.map(({ etag }) => etag);
    const isComplete =
      asset.media === undefined &&
      Array.isArray(uploadedPartIds) &&
      uploadedPartIds.length === etags.length &&
      etags.every((etag, index) => etag !== undefined && etag === uploadedPartIds[index]);
    if (!isComplete) {
      refuse(
        'INVALID_VALUE_FOR_FIELD',
        '/finalizeUploadRequest/uploadedPartIds :: not the parts of this upload',
      );
    }
    const names = asset.parts.map((_, index) => partName(id, index));
    const received = await receiveMedia(readParts(names), 'video');
    assets.put(id, processing(asset, received, call.at));
    await Promise.all(names.map(files.remove));
    return { status: 200 };
  }

  function processing(
    asset: Asset,
    { media, failure }: Awaited<ReturnType<typeof receiveMedia>>,
    at: number,
  ): Asset {
    const planned = faults.take(processingStep);
    const seconds = Number(setting(`${asset.kind}ProcessingSeconds`));
    const reason = planned?.code ?? failure;
    return {
      ...asset,
      media: liveMedia(media),
      processedAt: planned?.fault === 'timeout' ? null : at + seconds * 1000,
      ...(reason !== undefined && { failure: reason }),
    };
  }

  function find(urn: unknown, kind: AssetKind): { id: string; asset: Asset } {
    const id =
      typeof urn === 'string' && urn.startsWith(`urn:li:${kind}:`) ? (urn.split(':').at(-1) ?? '') : '';
    const asset = assets.get(id);
    if (asset === undefined) refuse('NOT_FOUND', `Could not find ${kind} ${String(urn)}`);
    return { id, asset };
  }

  /**
   * Reads the logo of an organization. The Images API knows it under the id of the asset that the organization names.
   * https://learn.microsoft.com/linkedin/marketing/community-management/shares/images-api
   */
  function readLogo(caller: Caller, urn: string, organizationId: string): Answer {
    if (!mayRead(caller, 'image')) refuse('ACCESS_DENIED', 'Not enough permissions to access: GET /images');
    const owner = `urn:li:organization:${organizationId}`;
    gate.requireAuthor(caller, owner);
    const downloadUrl = `https://media.licdn.com/dms/image/${organizationId}/logo.png`;
    return json({ id: urn, owner, status: 'AVAILABLE', downloadUrl });
  }

  function read(kind: AssetKind, call: Call): Answer {
    const caller = gate.checkCall(call);
    const urn = String(call.params['urn']);
    const [, organizationId] = /^urn:li:image:logo(\d+)$/.exec(urn) ?? [];
    if (organizationId !== undefined) return readLogo(caller, urn, organizationId);
    const { asset } = find(urn, kind);
    if (!mayRead(caller, kind)) refuse('ACCESS_DENIED', `Not enough permissions to access: GET /${kind}s`);
    gate.requireAuthor(caller, asset.owner);
    const status = statusOf(asset, call.at);
    return json({
      id: asset.urn,
      owner: asset.owner,
      status,
      ...(status === 'PROCESSING_FAILED' && { processingFailureReason: asset.failure }),
    });
  }

  /**
   * Returns true if the caller may read the asset. A member token cannot read the assets that it may write; in practice it can
   * read videos.
   */
  function mayRead({ token }: Caller, kind: AssetKind): boolean {
    if (token.scopes.includes('r_organization_social')) return true;
    return kind === 'video' && setting('membersReadVideos') === true;
  }

  const operationsOf = (kind: AssetKind): Operation[] => {
    const names = [`${kind}s.initializeUpload`, ...(kind === 'video' ? ['videos.finalizeUpload'] : [])];
    const unknownAction = `${kind}s.unknownAction`;
    const named = {
      names: [...names, unknownAction],
      of: (_params: unknown, _headers: unknown, query: URLSearchParams) =>
        names.find((name) => name === `${kind}s.${query.get('action')}`) ?? unknownAction,
    };
    const root = `api.linkedin.com/rest/${kind}s`;
    return [
      operation(named, 'POST', root, (call) => {
        if (call.operation === unknownAction) refuse('ILLEGAL_ARGUMENT', 'Unknown action');
        return call.operation === 'videos.finalizeUpload' ? finalize(call) : initialize(kind, call);
      }),
      operation(`${kind}s.get`, 'GET', `${root}/:urn`, (call) => read(kind, call)),
    ];
  };
  const uploads = 'www.linkedin.com/dms-uploads/sp/:id';
  return [
    ...operationsOf('image'),
    ...operationsOf('document'),
    ...operationsOf('video'),
    streamingOperation('images.upload', 'PUT', `${uploads}/image`, putFile),
    streamingOperation('documents.upload', 'PUT', `${uploads}/document`, putFile),
    streamingOperation('videos.uploadThumbnail', 'PUT', `${uploads}/thumbnail`, putThumbnail),
    streamingOperation('videos.upload', 'PUT', `${uploads}/:part`, putPart),
  ];
}

/** @param at epoch milliseconds */
export function statusOf({ media, processedAt, failure }: Asset, at: number): AssetStatus {
  if (media === undefined) return 'WAITING_UPLOAD';
  if (processedAt === null || processedAt === undefined || processedAt > at) return 'PROCESSING';
  return failure === undefined ? 'AVAILABLE' : 'PROCESSING_FAILED';
}

function partName(assetId: string, part: number): string {
  return `${assetId}.${part}`;
}

function partProblem({ headers }: Call, expectedBytes: number): Answer | undefined {
  if (headers['content-type'] !== 'application/octet-stream') return errorAnswer('UNSUPPORTED_MEDIA_TYPE');
  if (Number(headers['content-length']) !== expectedBytes) {
    return errorAnswer('INVALID_VALUE_FOR_FIELD', `This part has ${expectedBytes} bytes`);
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const headBytes = 12;

/** The file types that LinkedIn can process, recognized by their first bytes. */
const signatures: readonly {
  readonly type: string;
  readonly kind: AssetKind;
  readonly at: number;
  readonly bytes: string;
}[] = [
  { type: 'image/jpeg', kind: 'image', at: 0, bytes: 'ffd8ff' },
  { type: 'image/png', kind: 'image', at: 0, bytes: '89504e470d0a1a0a' },
  { type: 'image/gif', kind: 'image', at: 0, bytes: '47494638' },
  { type: 'video/mp4', kind: 'video', at: 4, bytes: '66747970' },
  { type: 'application/pdf', kind: 'document', at: 0, bytes: '255044462d' },
  // Word and PowerPoint files: ZIP archives in the current format, compound files in the old one.
  { type: 'application/vnd.openxmlformats-officedocument', kind: 'document', at: 0, bytes: '504b0304' },
  { type: 'application/vnd.ms-office', kind: 'document', at: 0, bytes: 'd0cf11e0' },
];

/** An image must have fewer pixels than this ("Images API"). */
const maxPixels = 36_152_320;

interface ReceivedMedia {
  readonly media: MeasuredMedia;
  /** The reason for which processing will fail. */
  readonly failure?: string;
}

/** Measures and checks a file while it streams. */
async function receiveMedia(chunks: AsyncIterable<Uint8Array>, kind: AssetKind): Promise<ReceivedMedia> {
  let head = Buffer.alloc(0);
  async function* watched() {
    for await (const chunk of chunks) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      yield chunk;
    }
  }
  const measured = await measureMedia(watched(), '');
  const type = signatures.find(
    ({ kind: of, at, bytes }) =>
      of === kind && head.subarray(at, at + bytes.length / 2).toString('hex') === bytes,
  )?.type;
  const media = { ...measured, type: type ?? 'application/octet-stream' };
  const failure = type === undefined ? `The file is not a valid ${kind}` : problemOf(media, kind);
  return { media, ...(failure !== undefined && { failure }) };
}

function problemOf({ type, jpeg, mp4, isCutImage }: MeasuredMedia, kind: AssetKind): string | undefined {
  if ((type === 'image/jpeg' && jpeg === undefined) || isCutImage) return 'The image cannot be read';
  if (jpeg && jpeg.width * jpeg.height >= maxPixels) return 'The image has too many pixels';
  if (kind !== 'video') return undefined;
  if (mp4?.video === undefined) return 'The video cannot be read';
  // "Videos API": only MP4.
  if (mp4.brand === 'qt  ') return 'The video is not an MP4';
  const ratio = mp4.video.width / mp4.video.height;
  if (mp4.durationSeconds < 3 || mp4.durationSeconds > 30 * 60)
    return 'The video must last from 3 seconds to 30 minutes';
  if (ratio < 1 / 2.4 || ratio > 2.4) return 'The video has an unsupported aspect ratio';
  return undefined;
}
