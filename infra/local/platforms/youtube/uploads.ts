import type { IncomingHttpHeaders } from 'node:http';
import { json } from '../kit/answers.ts';
import { answerAfterBody, readText } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import type { PartialFiles } from '../kit/media/partial-files.ts';
import { createUploadTurns } from '../kit/media/upload-turns.ts';
import { streamingOperation } from '../kit/router.ts';
import type { Answer, FaultMatch, Operation, Workbench } from '../kit/types.ts';
import { decideChunk, parseContentRange, resumeHeaders, wholeGrains } from './content-range.ts';
import { type Gate, refusal } from './gate.ts';
import { checkMetadata } from './metadata.ts';
import { requireParts } from './reads.ts';
import { videoResource } from './resources.ts';
import { uploadScopes } from './scopes.ts';
import type { State, UploadSession, User, Video } from './state.ts';

/** The lifetime of a session. The reference says that it is finite; Google's upload endpoints show one week. */
const sessionLifetimeMs = 7 * 24 * 3600 * 1000;

const largestUploadBytes = 256 * 1024 ** 3;

const address = 'www.googleapis.com/upload/youtube/v3/videos';

/** Creates the video of a session whose last byte has arrived. @param at epoch milliseconds */
export type CompleteUpload = (session: UploadSession, at: number) => Promise<Video>;

/** `videos.insert` as a resumable upload: a POST starts the session, PUTs upload the file. */
export function uploadOperations(
  { baseUrl, faults, random, reads, setting }: Workbench,
  { sessions, videos }: State,
  gate: Gate,
  files: PartialFiles,
  complete: CompleteUpload,
): readonly Operation[] {
  const takeTurn = createUploadTurns();

  async function startSession(call: Call): Promise<Answer> {
    const user = gate.checkCall(call, uploadScopes);
    gate.charge('videos.insert', call.at);
    const { username, channelId } = user;
    if (channelId === undefined) throw refusal('youtubeSignupRequired');
    const parts = requireParts(call);
    if (call.query.get('uploadType') !== 'resumable') {
      throw refusal('badRequest', 'Only uploadType=resumable is served here.');
    }
    const upload = readUploadHeaders(call.headers);
    const verdict = checkMetadata(await readJson(call), parts);
    if ('reason' in verdict) throw refusal(verdict.reason);
    const { publishAt, ...published } = verdict.metadata;
    // A creator's own settings can make uploads private: revision history of 2 November 2026, which also ended the
    // restriction of unaudited projects. https://developers.google.com/youtube/v3/revision_history
    const isLocked = setting('forcesPrivate') === true;
    const metadata = isLocked ? { ...published, privacyStatus: 'private' as const } : verdict.metadata;
    const id = random.secret('AH');
    sessions.put(id, { id, username, channelId, metadata, ...upload, startedAt: call.at });
    const target = new URL(`${baseUrl('www.googleapis.com')}/upload/youtube/v3/videos`);
    target.search = new URLSearchParams({
      uploadType: 'resumable',
      part: parts.join(','),
      upload_id: id,
    }).toString();
    return { status: 200, headers: { location: target.href, 'x-guploader-uploadid': id } };
  }

  async function putToSession(call: Call): Promise<Answer> {
    const user = gate.checkCall(call, uploadScopes);
    const { id } = findSession(call, user);
    return takeTurn(id, call.body, async () => proceed(findSession(call, user), call));
  }

  function findSession({ query, at }: Call, user: User): UploadSession {
    const session = sessions.get(query.get('upload_id') ?? '');
    if (session === undefined || hasExpired(session, at)) throw refusal('notFound');
    if (session.username !== user.username) throw refusal('forbidden');
    return session;
  }

  async function proceed(session: UploadSession, call: Call): Promise<Answer> {
    const { id, declaredBytes } = session;
    const before = call.operation === 'videos.insert.status' ? laggingStatus(session, call) : undefined;
    if (before !== undefined) return answerAfterBody(call, before);
    const video = session.videoId === undefined ? undefined : videos.get(session.videoId);
    if (video !== undefined) return answerAfterBody(call, answerComplete(session, video, call));
    const storedBytes = storedOf(await files.size(id), declaredBytes);
    const decision = decideChunk({
      contentRange: call.headers['content-range'],
      contentLength: readLength(call.headers['content-length']),
      declaredBytes,
      storedBytes,
    });
    if (decision.action === 'refuse') throw refusal('badRequest', decision.message);
    if (decision.action === 'store') {
      await files.append(id, storedBytes, call.body);
      if (faults.take('chunk-storage') !== undefined) {
        await files.cut(id, storedBytes + wholeGrains(Math.floor(decision.chunkBytes / 2)));
      }
    }
    const nowStored = storedOf(await files.size(id), declaredBytes);
    if (nowStored !== storedBytes) sessions.put(id, { ...session, storedBytes: nowStored });
    const answer =
      nowStored === declaredBytes
        ? answerComplete(session, await complete(session, call.at), call)
        : { status: 308, headers: resumeHeaders(nowStored) };
    return answerAfterBody(call, answer);
  }

  /** Returns the status that a session had, if lagging reads show another one than now. The session itself never disappears. */
  function laggingStatus(session: UploadSession, call: Call): Answer | undefined {
    const seen = reads.ofState(call, () => sessions.get(session.id));
    const seenBytes = seen?.storedBytes ?? 0;
    if (seen?.videoId === session.videoId && seenBytes === (session.storedBytes ?? 0)) return undefined;
    return { status: 308, headers: resumeHeaders(seenBytes) };
  }

  /** Answers for a complete session. One that has the whole file may answer 308 with its whole range before it names the video. */
  function answerComplete({ declaredBytes }: UploadSession, video: Video, call: Call): Answer {
    const namedAt = video.uploadedAt + Number(setting('completionSeconds')) * 1000;
    if (call.at < namedAt) return { status: 308, headers: resumeHeaders(declaredBytes) };
    return answerVideo(video, call);
  }

  const putNames = ['videos.insert.chunk', 'videos.insert.status'];
  return [
    {
      ...streamingOperation('videos.insert', 'POST', address, startSession),
      faultApplies: startFaultApplies,
    },
    {
      ...streamingOperation(
        { names: putNames, of: (_, headers) => putName(headers) },
        'PUT',
        address,
        putToSession,
      ),
      faultApplies: putFaultApplies,
    },
  ];
}

/** Returns the number of a file's bytes that count as stored: whole units of `chunkGrainBytes`, or all bytes of a complete file. */
function storedOf(fileBytes: number, declaredBytes: number): number {
  return fileBytes >= declaredBytes ? declaredBytes : wholeGrains(fileBytes);
}

function hasExpired({ startedAt }: UploadSession, now: number): boolean {
  return now >= startedAt + sessionLifetimeMs;
}

/** Returns true if the session still accepts bytes. */
export function isOpenSession(session: UploadSession | undefined, now: number): boolean {
  return session !== undefined && session.videoId === undefined && !hasExpired(session, now);
}

/** Returns true for faults planned for `videos.insert` that apply to the last PUT, because that call makes the video live. */
const isLostAnswer = (fault: string) =>
  ['drop-reply', 'drop-request', 'timeout'].includes(fault) || fault.startsWith('hold:');

function startFaultApplies({ match, fault }: FaultMatch): boolean {
  return (
    match === '*' || match === 'videos.insert.start' || (match === 'videos.insert' && !isLostAnswer(fault))
  );
}

function putFaultApplies({ match, fault }: FaultMatch, { operation, headers }: Call): boolean {
  if (match === '*' || match === operation) return true;
  return match === 'videos.insert' && isLostAnswer(fault) && isLastChunk(headers);
}

function putName(headers: IncomingHttpHeaders): string {
  const range = parseContentRange(headers['content-range'] ?? '');
  return range?.kind === 'status-query' ? 'videos.insert.status' : 'videos.insert.chunk';
}

/** Returns true if the PUT completes the file. A PUT without a range contains the whole file. */
function isLastChunk(headers: IncomingHttpHeaders): boolean {
  const header = headers['content-range'];
  if (header === undefined) return true;
  const range = parseContentRange(header);
  return range?.kind === 'chunk' && range.lastByte + 1 === range.totalBytes;
}

function readUploadHeaders(headers: IncomingHttpHeaders) {
  const contentType = headers['x-upload-content-type'];
  const declaredBytes = readLength(headers['x-upload-content-length']);
  if (typeof contentType !== 'string' || !declaredBytes) throw refusal('mediaBodyRequired');
  if (!/^(video\/[\w.+-]+|application\/octet-stream)$/i.test(contentType)) throw refusal('badContent');
  if (declaredBytes > largestUploadBytes) throw refusal('uploadTooLarge');
  const slug = headers['slug'];
  return { contentType, declaredBytes, fileName: typeof slug === 'string' ? slug : 'unknown' };
}

function readLength(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

async function readJson({ body, headers }: Call): Promise<unknown> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw refusal('badContent', `Unsupported content with type: ${headers['content-type']}`);
  }
  try {
    return JSON.parse(await readText(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal('parseError');
    throw error;
  }
}

function answerVideo(video: Video, { query, at }: Call): Answer {
  return json(videoResource(video, (query.get('part') ?? '').split(','), at));
}
