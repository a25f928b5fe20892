import type { HeraldOptions, Methods, RequestOptions } from './client.ts';
import { HeraldError } from './errors.ts';
import { defaultLimits, realSurroundings, send, withDefaults } from './send.ts';

export interface WaitOptions {
  /** The time after which it gives up. Default: 15 minutes. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Upload {
  readonly filename: string;
  /** The file. `openAsBlob` of `node:fs` makes a Blob of a path, without the whole file in memory. */
  readonly data: Blob | Uint8Array;
  /** Its type, such as `image/jpeg`. Default: by the ending of the name. */
  readonly contentType?: string | undefined;
}

export interface Uploaded {
  /** The id for `getMedia` and `deleteMedia`. */
  readonly mediaId: string;
  /** The address for `mediaItems` of posts. */
  readonly publicUrl: string;
}

/** Methods of several requests each. */
export interface Helpers<Post> {
  /**
   * Waits until every destination of a post is live or has failed. It is for posts that go live now: for later ones, receive webhooks.
   *
   * @throws HeraldError `timed_out`
   */
  waitForPost(id: string, options?: WaitOptions): Promise<Post>;
  /** Uploads a file; a large one in parts, so that a lost connection costs little. */
  uploadMedia(upload: Upload, options?: RequestOptions): Promise<Uploaded>;
}

const settled: readonly unknown[] = ['published', 'partial', 'failed'];
/** Above it, a file is sent in parts. */
const wholeBytes = 8 * 1024 * 1024;
/** A file or part takes longer than a request to the API. */
const uploadLimits = { attemptTimeoutMs: 300_000, totalTimeoutMs: 900_000 };

interface Parts {
  readonly missingCount: number;
  readonly parts: readonly { readonly offset: number; readonly size: number; readonly uploadUrl: string }[];
}
interface Grant extends Uploaded {
  readonly uploadUrl: string;
  readonly contentType: string;
}

export function helpersOf<Post>(methods: Methods, options: HeraldOptions): Helpers<Post> {
  const surroundings = withDefaults(realSurroundings, options);
  const call = async <Answer>(name: string, ...args: unknown[]) => (await methods[name]?.(...args)) as Answer;

  const put = (url: string, body: Blob, contentType: string | undefined, requestOptions: RequestOptions) =>
    send(
      {
        name: 'uploadMedia',
        method: 'PUT',
        url,
        // The address is signed, and no other header may be sent.
        headers: new Headers(contentType === undefined ? {} : { 'Content-Type': contentType }),
        body,
        isRepeatable: true,
        limits: withDefaults(defaultLimits, options, uploadLimits, requestOptions),
        signal: requestOptions.signal,
      },
      surroundings,
    );

  return {
    async waitForPost(id, { timeoutMs = 900_000, signal } = {}) {
      const end = surroundings.now() + timeoutMs;
      for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, 30_000)) {
        const { post } = await call<{ post: Post & { status?: unknown } }>('getPost', id, { signal });
        if (settled.includes(post.status)) return post;
        if (surroundings.now() + waitMs > end)
          throw new HeraldError({ message: `waitForPost: the post is ${post.status}`, code: 'timed_out' });
        await surroundings.sleep(waitMs, signal);
      }
    },

    async uploadMedia({ filename, data, contentType }, requestOptions = {}) {
      const file = data instanceof Blob ? data : new Blob([data as Uint8Array<ArrayBuffer>]);
      const isLarge = file.size > wholeBytes;
      // A second grant or end of the same upload does no harm.
      const repeatable = { ...requestOptions, isRepeatable: true };
      const request = { filename, contentType, size: file.size, ...(isLarge && { parts: true }) };
      const grant = await call<Grant>('presignMedia', request, repeatable);
      const { mediaId, publicUrl } = grant;
      if (!isLarge) {
        await put(grant.uploadUrl, file, grant.contentType, requestOptions);
        return { mediaId, publicUrl };
      }
      for (let before = Number.POSITIVE_INFINITY; ; ) {
        const { parts, missingCount } = await call<Parts>('listMediaParts', mediaId, requestOptions);
        if (missingCount === 0) break;
        if (missingCount >= before)
          throw new HeraldError({ message: 'uploadMedia: parts do not arrive', code: 'upload_incomplete' });
        before = missingCount;
        for (const { offset, size, uploadUrl } of parts)
          await put(uploadUrl, file.slice(offset, offset + size), undefined, requestOptions);
      }
      await call('completeMedia', mediaId, repeatable);
      return { mediaId, publicUrl };
    },
  };
}
