import type { deleteMediaOperation, presignMediaOperation, UploadGrant } from '../../media/operations.ts';
import { isDocumentType, mediaTypeOf } from '../../media/types.ts';
import { ApiError, needsSignIn } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { pause } from '../api/retry.ts';
import { createStore } from '../api/store.ts';
import { read, remove, write } from '../api/stored.ts';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { sentence } from '../components/error-notice.tsx';
import { words } from '../words/words.ts';
import { headBytes, namedType, refusalOf, typeOfHead } from './accepted.ts';
import { type DraftMedia, rememberLocally } from './draft-media.ts';
import type { Begun } from './in-parts.ts';
import { PutError } from './put-error.ts';
import {
  changeUploads,
  isOnItsWay,
  toBegin,
  type Upload,
  type UploadChange,
  type UploadState,
} from './upload-queue.ts';

/** All uploads of this tab. They go on while their editor is not shown. */
export const uploads = createStore<readonly Upload[]>([]);

interface Job {
  readonly file: File;
  readonly workspaceId: string | undefined;
  /** True if only images are wanted: for a cover. */
  readonly isForCover: boolean;
  controller: AbortController;
  grant?: { readonly of: UploadGrant; readonly untilMs: number };
  /** The file on its way in parts. */
  begun?: Begun;
}

const jobs = new Map<number, Job>();
let lastNumber = 0;

/** Begins to upload files, in their order. */
export function addFiles(owner: string, files: readonly File[], { isForCover = false } = {}): void {
  const workspaceId = workspaceChoice.current();
  const added = files.map((file) => {
    lastNumber += 1;
    jobs.set(lastNumber, { file, workspaceId, isForCover, controller: new AbortController() });
    return { number: lastNumber, owner, fileName: file.name, sizeBytes: file.size };
  });
  const isAgain = (lost: Name) =>
    added.some((each) => each.owner === lost.owner && each.fileName === lost.fileName);
  lostUploads.set(lostUploads.get().filter((lost) => !isAgain(lost)));
  change({ kind: 'add', uploads: added });
}

/** Tries one again that has failed. */
export const retryUpload = (number: number): void => change({ kind: 'retry', number });

/** Ends an upload, or dismisses one that has ended. What was reserved for it is given back. */
export function cancelUpload(number: number): void {
  const job = jobs.get(number);
  job?.controller.abort();
  const begun = job?.grant?.of ?? job?.begun;
  if (begun) void release(begun, job?.workspaceId);
  forgetUploads([number]);
}

/** Removes uploads from the list whose files the draft has taken over. */
export function forgetUploads(numbers: readonly number[]): void {
  for (const number of numbers) jobs.delete(number);
  change({ kind: 'drop', numbers });
}

/** Hands uploads over to lists with other names, such as those of the post that a draft has become. */
export function handOver(nameOf: (owner: string) => string): void {
  const renamed = <Each extends { readonly owner: string }>(each: Each): Each => ({
    ...each,
    owner: nameOf(each.owner),
  });
  uploads.set(uploads.get().map(renamed));
  lostUploads.set(lostUploads.get().map(renamed));
  keepNames();
}

async function release({ mediaId }: Begun, workspaceId: string | undefined): Promise<void> {
  const path = { id: mediaId };
  const options = { workspaceId, isBackground: true };
  // The service itself gives it back after two hours.
  await call<typeof deleteMediaOperation>('DELETE', '/v1/media/{id}', { path }, options).catch(
    () => undefined,
  );
}

function change(by: UploadChange): void {
  uploads.set(changeUploads(uploads.get(), by));
  keepNames();
  // Whatever begins changes the list, too.
  for (;;) {
    const [next] = toBegin(uploads.get());
    if (next === undefined) return;
    void run(next.number);
  }
}

const move = (number: number, state: UploadState) => change({ kind: 'move', number, state });

async function run(number: number): Promise<void> {
  const job = jobs.get(number);
  if (job === undefined) return forgetUploads([number]);
  job.controller = new AbortController();
  move(number, { status: 'preparing' });
  try {
    const head = new Uint8Array(await job.file.slice(0, headBytes).arrayBuffer());
    const contentType = typeOfHead(head, namedType(job.file));
    const refusal =
      refusalOf(job.file, contentType) ??
      (job.isForCover && !isCoverType(contentType) ? words.media.cover.imageOnly : undefined);
    if (refusal !== undefined || contentType === undefined)
      return move(number, { status: 'refused', reason: refusal ?? words.media.refused.type() });
    move(number, { status: 'done', media: await send(number, job, contentType) });
  } catch (error) {
    if (!job.controller.signal.aborted) move(number, { status: 'failed', reason: reasonOf(error) });
  }
}

const isCoverType = (contentType: string | undefined): boolean =>
  contentType === 'image/jpeg' || contentType === 'image/png';

const waitsMs = [1_000, 4_000];

/** Larger files are sent in parts, so that an interruption costs little. */
const largestInOneBytes = 16 * 1024 ** 2;

/** @throws ApiError or PutError */
async function send(number: number, job: Job, contentType: string): Promise<DraftMedia> {
  const { file } = job;
  const { signal } = job.controller;
  if (file.size > largestInOneBytes) return sendLarge(number, job, contentType);
  // A grant may have expired while the computer slept: then a new one helps.
  let hasRenewed = false;
  for (let attempt = 0; ; attempt++) {
    const grant = await grantOf(job, contentType);
    move(number, { status: 'sending', sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number) =>
        move(number, sentBytes < file.size ? { status: 'sending', sentBytes } : { status: 'confirming' });
      await putFile({ url: grant.uploadUrl, file, contentType: grant.contentType, signal, onProgress });
      rememberLocally(grant.publicUrl, file);
      keepFrame(grant, file, job.workspaceId);
      return fileOf(grant, file);
    } catch (error) {
      // A grant that was refused, such as one that is too old, is refused again.
      if (error instanceof PutError && error.status !== 0) dropGrant(job);
      if (error instanceof PutError && error.status === 403 && !hasRenewed) {
        hasRenewed = true;
        continue;
      }
      const waitMs = waitsMs[attempt];
      if (!(error instanceof PutError) || error.status !== 0 || waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** Draws a picture of a video while the file is at hand. Nobody waits for it. */
function keepFrame(
  { mediaId, contentType }: Pick<UploadGrant, 'mediaId' | 'contentType'>,
  file: File,
  workspaceId: string | undefined,
): void {
  if (mediaTypeOf(contentType) !== 'video') return;
  void import('./video-frame.ts').then(
    ({ keepFrameOf }) => keepFrameOf(mediaId, file, workspaceId),
    () => undefined,
  );
}

/** @throws ApiError or PutError */
async function sendLarge(number: number, job: Job, contentType: string): Promise<DraftMedia> {
  const { file, workspaceId } = job;
  const { signal } = job.controller;
  const onProgress = (sentBytes: number) =>
    move(number, sentBytes < file.size ? { status: 'sending', sentBytes } : { status: 'confirming' });
  const onBegun = (begun: Begun) => {
    job.begun = begun;
  };
  onProgress(0);
  for (let attempt = 0; ; attempt++) {
    try {
      const { sendInParts } = await import('./in-parts.ts').catch(() => Promise.reject(new PutError(0)));
      signal.throwIfAborted();
      const filename = shortName(file.name);
      const upload = { file, contentType, filename, workspaceId, signal, onBegun, onProgress };
      const begun = await sendInParts(upload);
      rememberLocally(begun.publicUrl, file);
      keepFrame(begun, file, workspaceId);
      return fileOf(begun, file);
    } catch (error) {
      const waitMs = waitsMs[attempt];
      if (!(error instanceof PutError) || error.status !== 0 || waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

function dropGrant(job: Job): void {
  if (job.grant) void release(job.grant.of, job.workspaceId);
  delete job.grant;
}

async function grantOf(job: Job, contentType: string): Promise<UploadGrant> {
  if (job.grant && job.grant.untilMs > Date.now()) return job.grant.of;
  const { name, size } = job.file;
  const body = { filename: shortName(name), contentType, size };
  const of = await call<typeof presignMediaOperation>(
    'POST',
    '/v1/media/presign',
    { body },
    { signal: job.controller.signal, workspaceId: job.workspaceId },
  );
  job.grant = { of, untilMs: Date.now() + (of.expiresIn * 1_000) / 2 };
  return of;
}

/** The service takes 255 characters; the ending says what the file is. */
const shortName = (name: string): string =>
  name.length <= 255 ? name || 'file' : `${name.slice(0, 200)}${name.slice(-40)}`;

const fileOf = ({ publicUrl, mediaId, contentType }: Begun, file: File): DraftMedia => ({
  url: publicUrl,
  type: mediaTypeOf(contentType),
  ...(isDocumentType(contentType) && { isDocument: true }),
  mediaId,
  fileName: file.name,
  sizeBytes: file.size,
});

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return adviceOn(error);
  if (error instanceof PutError)
    return error.status !== 0
      ? words.media.uploads.storage(error.status)
      : navigator.onLine
        ? words.media.uploads.network
        : words.media.uploads.offline;
  return words.media.refused.unreadable;
}

/** Says what the service said, and what to do about it. */
function adviceOn(error: ApiError): string {
  const { code, status, message } = error;
  if (needsSignIn(error)) return words.media.uploads.signIn;
  if (code === 'storage_quota_exceeded') return words.media.uploads.full;
  return status === 429 ? words.media.uploads.wait : sentence(message);
}

const kept = 'uploads';
const ofTab = () => sessionStorage;
type Name = Pick<Upload, 'owner' | 'fileName'>;

/** Uploads that were running when the page was closed or reloaded. Their files are not with the service. */
export const lostUploads = createStore<readonly Name[]>(readNames());

export function dismissLost(owner: string): void {
  lostUploads.set(lostUploads.get().filter((each) => each.owner !== owner));
  keepNames();
}

/** Owners without a name of a draft are gone after a reload. */
const isKept = ({ owner }: Name): boolean => !owner.startsWith(':');

/** Keeps the names of the files that would be lost now, and of the lost ones that nobody has dismissed. */
function keepNames(): void {
  const running = uploads.get().filter((each) => isOnItsWay(each) || each.state.status === 'done');
  const names = [...lostUploads.get(), ...running].filter(isKept);
  if (names.length === 0) remove(ofTab, kept);
  else write(ofTab, kept, JSON.stringify(names.map(({ owner, fileName }) => ({ owner, fileName }))));
}

function readNames(): readonly Name[] {
  try {
    return JSON.parse(read(ofTab, kept) ?? '[]') as Name[];
  } catch {
    return [];
  }
}

addEventListener('beforeunload', (event) => {
  if (uploads.get().some(isOnItsWay)) event.preventDefault();
});

/** Nothing is sent for this long: the connection is dead, although nobody has said so. */
const stalledMs = 60_000;

interface Put {
  readonly url: string;
  readonly file: Blob;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** Receives the bytes that the connection has taken so far. */
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends a file straight to the storage. It is a request of the old kind, since `fetch` does not say how far it is.
 *
 * @throws PutError if the storage did not take it; the signal's reason if it was aborted
 */
function putFile({ url, file, contentType, signal, onProgress }: Put): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stalled = setTimeout(() => request.abort(), stalledMs);
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stalled);
      stalled = setTimeout(abort, stalledMs);
      onProgress(loaded);
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (request.status >= 200 && request.status < 300) resolve();
      else reject(new PutError(request.status));
    };
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.send(file);
    if (signal.aborted) abort();
  });
}
