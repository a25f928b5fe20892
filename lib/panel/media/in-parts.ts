import AwsS3 from '@uppy/aws-s3';
import { Uppy } from '@uppy/core';
import type {
  completeMediaOperation,
  listMediaPartsOperation,
  presignMediaOperation,
  UploadGrant,
} from '../../media/operations.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { ReplyOf } from '../api/operation-types.ts';
import { read, remove, write } from '../api/stored.ts';
import { PutError } from './put-error.ts';

/** A file on its way, as far as the panel knows it after a reload. */
export type Begun = Pick<UploadGrant, 'mediaId' | 'publicUrl' | 'contentType'>;

export interface UploadInParts {
  readonly file: File;
  readonly contentType: string;
  readonly filename: string;
  readonly workspaceId: string | undefined;
  readonly signal: AbortSignal;
  /** Receives the file as soon as the service knows it. */
  readonly onBegun: (begun: Begun) => void;
  /** Receives the bytes that have been sent, also by an earlier visit. */
  readonly onProgress: (sentBytes: number) => void;
}

type Parts = ReplyOf<typeof listMediaPartsOperation>;

/**
 * Sends a large file in parts. An upload of the same file that was interrupted, be it by a reload, goes on where it was.
 *
 * @throws ApiError or PutError; the signal's reason if it was aborted
 */
export async function sendInParts(upload: UploadInParts): Promise<Begun> {
  const earlier = keptOf(upload);
  if (earlier !== undefined) {
    try {
      return await goOn(upload, earlier);
    } catch (error) {
      // Nothing is left to go on with. Other conflicts pass: a second tab may be completing the same upload.
      const isOver = error instanceof ApiError && (error.status === 404 || error.code === 'upload_ended');
      if (!isOver) throw error;
      forget(upload);
    }
  }
  const { file, contentType, filename, workspaceId, signal } = upload;
  const body = { filename, contentType, size: file.size, parts: true };
  const begun = await call<typeof presignMediaOperation>(
    'POST',
    '/v1/media/presign',
    { body },
    { signal, workspaceId },
  );
  keep(upload, begun);
  return goOn(upload, begun);
}

async function goOn(upload: UploadInParts, begun: Begun): Promise<Begun> {
  const { workspaceId, signal, onBegun } = upload;
  onBegun(begun);
  const request = { path: { id: begun.mediaId } };
  const options = { signal, workspaceId };
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const parts = await call<typeof listMediaPartsOperation>('GET', '/v1/media/{id}/parts', request, options);
    if (parts.missingCount === 0) break;
    const problem = await sendThese(upload, parts);
    // Some may have arrived: then it goes on, with new addresses.
    if (problem !== undefined && parts.missingCount === before) throw problem;
    before = parts.missingCount;
  }
  await call<typeof completeMediaOperation>('POST', '/v1/media/{id}/complete', request, options);
  forget(upload);
  return begun;
}

const quiet = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** The number of parts that are sent at the same time. */
const mostAtOnce = 3;

/**
 * Sends parts with Uppy, which waits while the browser is offline and tries each a few times. To Uppy, each is a file of its own.
 *
 * @returns the last problem, if not all of them arrived
 */
async function sendThese(
  { file, signal, onProgress }: UploadInParts,
  { parts, missingCount }: Parts,
): Promise<PutError | undefined> {
  const uppy = new Uppy({ logger: quiet });
  const urls = new Map(parts.map(({ partNumber, uploadUrl }) => [String(partNumber), uploadUrl]));
  uppy.use(AwsS3, {
    limit: mostAtOnce,
    shouldUseMultipart: false,
    generateObjectKey: ({ name }) => name ?? '',
    signRequest: ({ key }) => ({ url: urls.get(key) ?? '' }),
  });
  uppy.addFiles(
    parts.map(({ partNumber, offset, size }) => ({
      name: String(partNumber),
      type: 'application/octet-stream',
      data: file.slice(offset, offset + size),
      source: 'parts',
    })),
  );
  const largest = Math.max(...parts.map(({ size }) => size));
  const listedBytes = parts.reduce((sum, { size }) => sum + size, 0);
  const sentBefore = Math.max(0, file.size - listedBytes - (missingCount - parts.length) * largest);
  const sent = new Map<string, number>();
  uppy.on('upload-progress', (part, { bytesUploaded }) => {
    if (part === undefined || typeof bytesUploaded !== 'number') return;
    sent.set(part.id, bytesUploaded);
    onProgress(sentBefore + [...sent.values()].reduce((sum, bytes) => sum + bytes, 0));
  });
  let problem: PutError | undefined;
  uppy.on('upload-error', (_part, error) => {
    problem = new PutError('status' in error && typeof error.status === 'number' ? error.status : 0);
  });
  const stop = () => uppy.cancelAll();
  signal.addEventListener('abort', stop, { once: true });
  try {
    onProgress(sentBefore);
    await uppy.upload();
  } finally {
    signal.removeEventListener('abort', stop);
    uppy.destroy();
  }
  signal.throwIfAborted();
  return problem;
}

const kept = 'uploads-in-parts';
const ofBrowser = () => localStorage;

/** The trace of an upload in parts in the browser. The service keeps the upload for a day. */
interface Kept extends Begun {
  readonly of: string;
  readonly untilMs: number;
}

const keptMs = 86_400_000;
const mostKept = 20;

/** The same for the same file on the person's disk, unless it was changed. */
const markOf = ({ file, workspaceId = '' }: UploadInParts): string =>
  [workspaceId, file.size, file.lastModified, file.name].join(' ');

const keptOf = (upload: UploadInParts): Begun | undefined =>
  readKept().find(({ of }) => of === markOf(upload));

function keep(upload: UploadInParts, { mediaId, publicUrl, contentType }: Begun): void {
  const entry = { of: markOf(upload), mediaId, publicUrl, contentType, untilMs: Date.now() + keptMs };
  writeKept([entry, ...readKept()].slice(0, mostKept));
}

function forget(upload: UploadInParts): void {
  writeKept(readKept().filter(({ of }) => of !== markOf(upload)));
}

function readKept(): readonly Kept[] {
  try {
    const all = JSON.parse(read(ofBrowser, kept) ?? '[]') as Kept[];
    return all.filter(({ untilMs }) => untilMs > Date.now());
  } catch {
    return [];
  }
}

function writeKept(all: readonly Kept[]): void {
  if (all.length === 0) remove(ofBrowser, kept);
  else write(ofBrowser, kept, JSON.stringify(all));
}
