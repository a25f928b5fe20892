import { createHash } from 'node:crypto';
import { type Fixture, readBody } from './support.ts';

/** The size of every chunk except the last is a multiple of this. */
export const grain = 262_144;

export const metadata = {
  snippet: { title: 'A boat', description: 'It floats', tags: ['sea', 'wind'] },
  status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
};

export interface StartOptions {
  readonly body?: unknown;
  readonly bytes?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: string;
}

/** Starts an upload session. `undefined` omits a header. */
export function startUpload(
  { simulator }: Fixture,
  token: string,
  options: StartOptions = {},
): Promise<Response> {
  const { body = metadata, bytes = 1000, query = 'uploadType=resumable&part=snippet,status' } = options;
  const headers = Object.entries({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json; charset=UTF-8',
    'x-upload-content-type': 'video/mp4',
    'x-upload-content-length': String(bytes),
    ...options.headers,
  }).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return fetch(`${simulator.url}/www.googleapis.com/upload/youtube/v3/videos?${query}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export async function openSession(
  fixture: Fixture,
  token: string,
  options: StartOptions = {},
): Promise<string> {
  const response = await startUpload(fixture, token, options);
  return response.headers.get('location') ?? `missing:${response.status}`;
}

/** Sends a chunk that begins at byte `first` to a session. */
export function putChunk(
  session: string,
  token: string,
  chunk: Buffer,
  first: number,
  total: number | string,
) {
  return fetch(session, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'video/mp4',
      'content-range': `bytes ${first}-${first + chunk.length - 1}/${total}`,
    },
    body: new Uint8Array(chunk),
  });
}

export function askStatus(session: string, token: string, total: number | string): Promise<Response> {
  return fetch(session, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-range': `bytes */${total}` },
  });
}

export interface VideoResource {
  readonly id: string;
  readonly snippet: { readonly title: string; readonly publishedAt: string };
  readonly status: Readonly<Record<string, unknown>>;
}

/** Uploads a whole file in one PUT. */
export async function uploadVideo(
  fixture: Fixture,
  token: string,
  options: StartOptions & { file?: Buffer } = {},
) {
  const file = options.file ?? bytesOf(1000);
  const session = await openSession(fixture, token, { ...options, bytes: file.length });
  return readBody<VideoResource>(await putChunk(session, token, file, 0, file.length));
}

/** Bytes that differ in every unit, so that a misplaced chunk changes the digest. */
export function bytesOf(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 12)) % 251));
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
