import { Refusal } from '../kit/answers.ts';
import { answerAfterBody } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { measureMedia } from '../kit/media/media-intake.ts';
import type { PartialFiles } from '../kit/media/partial-files.ts';
import { createUploadTurns } from '../kit/media/upload-turns.ts';
import { streamingOperation } from '../kit/router.ts';
import type { Answer, Operation } from '../kit/types.ts';
import type { Ending } from './ending.ts';
import type { Publish, State, Upload } from './state.ts';

const contentTypes = ['video/mp4', 'video/quicktime', 'video/webm'];

type Uploading = Publish & { readonly upload: Upload };

/** Accepts chunks in order at the address from init ("Media Transfer Guide"). The last chunk starts the posting. */
export function uploadOperations({ publishes }: State, files: PartialFiles, ending: Ending): Operation[] {
  const takeTurn = createUploadTurns();

  async function put(call: Call): Promise<Answer> {
    const { id } = find(call);
    return takeTurn(id, call.body, async () => {
      try {
        return await answerAfterBody(call, await store(find(call), call));
      } catch (error) {
        if (error instanceof Refusal) return answerAfterBody(call, error.answer);
        throw error;
      }
    });
  }

  /** Finds the upload of a call. Its address contains a secret, so the call needs no access token. */
  function find({ query, at }: Call): Uploading {
    const publish = publishes.get(query.get('upload_id') ?? '');
    const upload = publish?.upload;
    if (publish === undefined || upload === undefined || publish.end !== undefined) throw answerOf(404);
    if (upload.secret !== query.get('upload_token') || upload.expiresAt <= at) throw answerOf(403);
    return { ...publish, upload };
  }

  async function store(publish: Uploading, call: Call): Promise<Answer> {
    const { id, upload } = publish;
    const { last, contentType } = readChunk(call, upload);
    const storedBytes = last + 1;
    await files.append(id, upload.storedBytes, call.body).catch(() => undefined);
    // A chunk that was cut short does not count: the next one overwrites it.
    if ((await files.size(id)) !== storedBytes) throw answerOf(400);
    publishes.put(id, { ...publish, upload: { ...upload, storedBytes, contentType } });
    if (storedBytes < upload.videoBytes) return { status: 206, headers: progressOf(storedBytes, upload) };
    const media = await measureMedia(files.read(id), contentType);
    ending.settle(id, [media], call.at);
    await files.remove(id);
    return { status: 201, headers: progressOf(storedBytes, upload) };
  }

  return [streamingOperation('video.upload', 'PUT', 'open-upload.tiktokapis.com/video/', put)];
}

function readChunk({ headers }: Call, upload: Upload) {
  const { videoBytes, chunkBytes, storedBytes } = upload;
  const contentType = headers['content-type'] ?? '';
  if (!contentTypes.includes(contentType)) throw answerOf(400);
  const match = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/.exec(headers['content-range'] ?? '');
  const [first = 0, last = -1, total] = match?.slice(1).map(Number) ?? [];
  if (total !== videoBytes || last < first) throw answerOf(400);
  if (Number(headers['content-length']) !== last - first + 1) throw answerOf(400);
  if (first !== storedBytes || last >= videoBytes) throw answerOf(416, progressOf(storedBytes, upload));
  // The last chunk includes the remainder, so it can be almost twice as large as the others.
  const isLast = videoBytes - first < 2 * chunkBytes;
  if (last !== (isLast ? videoBytes : first + chunkBytes) - 1) {
    throw answerOf(416, progressOf(storedBytes, upload));
  }
  return { last, contentType };
}

function progressOf(storedBytes: number, { videoBytes }: Upload): Record<string, string> {
  return storedBytes === 0 ? {} : { 'content-range': `bytes 0-${storedBytes - 1}/${videoBytes}` };
}

function answerOf(status: number, headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal({ status, headers });
}
